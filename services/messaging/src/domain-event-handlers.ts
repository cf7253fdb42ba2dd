import { domainEvents } from '@tms/contracts'
import { type DomainEventHandler, onDomainEvent, type Publish } from '@tms/service-kit'
import { markSenderRead } from './flags/mark-sender-read.ts'
import { notifyMembers } from './groups/notify-members.ts'
import { queueGuestPolicyChange } from './guest-visibility/queue-policy-change.ts'
import { onboardOnce } from './onboarding/onboard-once.ts'
import { publishUserChanges } from './projections/publish-user-changes.ts'
import { deleteKnownGroups, deleteKnownUsers } from './projections/removed-users.queries.ts'
import { deleteKnownRealm } from './realm-deletion/deletion.queries.ts'

/** All others than these bring the organization's record. */
const { realmDeleted, auditLogExported: _exported, ...realmChanges } = domainEvents.realm

/** What events of users and realm do in messaging beside bringing records for its projections. */
export function domainEventHandlers(
  publish: Publish<'messaging'>,
  now: () => Date,
): readonly DomainEventHandler[] {
  return [
    ...Object.values(realmChanges).map((event) =>
      onDomainEvent(event, (tx, { projection }, { request_id }) =>
        queueGuestPolicyChange(tx, projection.realm_id, request_id),
      ),
    ),
    onDomainEvent(realmDeleted, (tx, { realm_id }) => deleteKnownRealm(tx, realm_id)),
    onDomainEvent(domainEvents.users.userUpdated, (tx, { user_id }, { request_id }) =>
      publishUserChanges(tx, publish, user_id, request_id),
    ),
    onDomainEvent(
      domainEvents.users.mutedUsersUpdated,
      async (tx, { projection: reader, newly_muted_user_id: senderId }, { request_id: requestId }) => {
        if (senderId !== null) await markSenderRead(tx, publish, { reader, senderId, requestId })
      },
    ),
    onDomainEvent(domainEvents.users.userGroupMembersChanged, (tx, change, { request_id }) =>
      notifyMembers(tx, change, request_id),
    ),
    onDomainEvent(domainEvents.users.usersRemoved, async (tx, { realm_id }) => {
      await deleteKnownUsers(tx, realm_id)
      await deleteKnownGroups(tx, realm_id)
    }),
    onDomainEvent(domainEvents.users.userCreated, (tx, { projection, joined }, { request_id }) =>
      onboardOnce(tx, projection, joined, { publish, now: now(), requestId: request_id }),
    ),
  ]
}

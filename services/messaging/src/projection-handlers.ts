import { type DomainEvent, domainEvents, type UserGroupProjection, type UserProjection } from '@tms/contracts'
import { type DomainEventHandler, onDomainEvent, type Publish } from '@tms/service-kit'
import type { z } from 'zod'
import { markSenderRead } from './flags/mark-sender-read.ts'
import { notifyMembers } from './groups/notify-members.ts'
import { queueGuestPolicyChange } from './guest-visibility/queue-policy-change.ts'
import { onboardOnce } from './onboarding/onboard-once.ts'
import { deleteKnownGroups, saveGroups } from './projections/group-projection.queries.ts'
import { deleteKnownUsers, saveRealms } from './projections/projection.queries.ts'
import { publishUserChanges } from './projections/publish-user-changes.ts'
import { updateUserProjections } from './projections/update-user-projections.ts'

/** How messaging handles the events of users and realm. */
export function projectionHandlers(
  publish: Publish<'messaging'>,
  now: () => Date,
): readonly DomainEventHandler[] {
  return [
    ...Object.values(domainEvents.realm).map((event) =>
      onDomainEvent(event, async (tx, { projection }, { request_id }) => {
        await saveRealms(tx, [projection])
        await queueGuestPolicyChange(tx, projection.realm_id, request_id)
      }),
    ),
    userProjectionHandler(domainEvents.users.systemBotCreated),
    onDomainEvent(domainEvents.users.userUpdated, async (tx, { projection }, { request_id }) => {
      await updateUserProjections(tx, [projection])
      await publishUserChanges(tx, publish, projection.user_id, request_id)
    }),
    userProjectionHandler(domainEvents.users.settingsUpdated),
    userProjectionHandler(domainEvents.users.alertWordsUpdated),
    onDomainEvent(
      domainEvents.users.mutedUsersUpdated,
      async (tx, { projection, newly_muted_user_id }, { request_id }) => {
        await updateUserProjections(tx, [projection])
        if (newly_muted_user_id === null) return
        await markSenderRead(tx, publish, {
          reader: projection,
          senderId: newly_muted_user_id,
          requestId: request_id,
        })
      },
    ),
    groupProjectionHandler(domainEvents.users.userGroupCreated),
    groupProjectionHandler(domainEvents.users.userGroupUpdated),
    groupProjectionHandler(domainEvents.users.userGroupSubgroupsChanged),
    groupProjectionHandler(domainEvents.users.userGroupRemoved),
    onDomainEvent(domainEvents.users.userGroupMembersChanged, async (tx, change, { request_id }) => {
      await saveGroups(tx, [change.projection])
      await notifyMembers(tx, change, request_id)
    }),
    onDomainEvent(domainEvents.users.organizationImported, async (tx, { users, groups }) => {
      await updateUserProjections(tx, users)
      await saveGroups(tx, groups)
    }),
    onDomainEvent(domainEvents.users.importRemoved, async (tx, { realm_id }) => {
      await deleteKnownUsers(tx, realm_id)
      await deleteKnownGroups(tx, realm_id)
    }),
    onDomainEvent(domainEvents.users.userCreated, (tx, { projection, joined }, { request_id }) =>
      onboardOnce(tx, projection, joined, { publish, now: now(), requestId: request_id }),
    ),
  ]
}

/** For events that only bring a new version of a user. */
function userProjectionHandler(
  event: DomainEvent<string, z.ZodType<{ projection: UserProjection }>>,
): DomainEventHandler {
  return onDomainEvent(event, (tx, { projection }) => updateUserProjections(tx, [projection]))
}

/** For events that only bring a new version of a group. */
function groupProjectionHandler(
  event: DomainEvent<string, z.ZodType<{ projection: UserGroupProjection }>>,
): DomainEventHandler {
  return onDomainEvent(event, (tx, { projection }) => saveGroups(tx, [projection]))
}

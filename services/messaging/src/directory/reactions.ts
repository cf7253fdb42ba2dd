import { type DomainEvent, domainEvents, type UserGroupProjection, type UserProjection } from '@tms/contracts'
import { type DomainEventHandler, onDomainEvent, type Publish } from '@tms/service-kit'
import type { z } from 'zod'
import { readMessagesOf } from '../flags/read-messages-of.ts'
import { deleteKnownGroups, saveGroups } from '../groups/known-group.queries.ts'
import { notifyMembers } from '../groups/notify-members.ts'
import { settlePolicy } from '../guest-visibility/settle-policy.ts'
import { onboardOnce } from '../onboarding/receive-once.ts'
import { keepUsers } from './keep-users.ts'
import { deleteKnownUsers, saveRealms } from './projection.queries.ts'
import { settleUser } from './settle-user.ts'

/** What messaging does when users and realm speak. */
export function projectionHandlers(
  publish: Publish<'messaging'>,
  now: () => Date,
): readonly DomainEventHandler[] {
  return [
    ...Object.values(domainEvents.realm).map((event) =>
      onDomainEvent(event, async (tx, { projection }, { request_id }) => {
        await saveRealms(tx, [projection])
        await settlePolicy(tx, projection.realm_id, request_id)
      }),
    ),
    keepFacts(domainEvents.users.systemBotCreated),
    onDomainEvent(domainEvents.users.userUpdated, async (tx, { projection }, { request_id }) => {
      await keepUsers(tx, [projection])
      await settleUser(tx, publish, projection.user_id, request_id)
    }),
    keepFacts(domainEvents.users.settingsUpdated),
    keepFacts(domainEvents.users.alertWordsUpdated),
    onDomainEvent(
      domainEvents.users.mutedUsersUpdated,
      async (tx, { projection, newly_muted_user_id }, { request_id }) => {
        await keepUsers(tx, [projection])
        if (newly_muted_user_id === null) return
        await readMessagesOf(tx, publish, {
          reader: projection,
          senderId: newly_muted_user_id,
          requestId: request_id,
        })
      },
    ),
    keepGroup(domainEvents.users.userGroupCreated),
    keepGroup(domainEvents.users.userGroupUpdated),
    keepGroup(domainEvents.users.userGroupSubgroupsChanged),
    keepGroup(domainEvents.users.userGroupRemoved),
    onDomainEvent(domainEvents.users.userGroupMembersChanged, async (tx, change, { request_id }) => {
      await saveGroups(tx, [change.projection])
      await notifyMembers(tx, change, request_id)
    }),
    onDomainEvent(domainEvents.users.organizationImported, async (tx, { users, groups }) => {
      await keepUsers(tx, users)
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

/** All that many events mean here: what is known of a user is another. */
function keepFacts(
  event: DomainEvent<string, z.ZodType<{ projection: UserProjection }>>,
): DomainEventHandler {
  return onDomainEvent(event, (tx, { projection }) => keepUsers(tx, [projection]))
}

/** The same of a group. */
function keepGroup(
  event: DomainEvent<string, z.ZodType<{ projection: UserGroupProjection }>>,
): DomainEventHandler {
  return onDomainEvent(event, (tx, { projection }) => saveGroups(tx, [projection]))
}

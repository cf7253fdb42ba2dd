import { type DomainEvent, domainEvents, type UserFacts, type UserGroupFacts } from '@tms/contracts'
import { type Publish, type Reaction, reactTo } from '@tms/service-kit'
import type { z } from 'zod'
import { readMessagesOf } from '../flags/read-messages-of.ts'
import { deleteKnownGroups, saveGroups } from '../groups/known-group.queries.ts'
import { notifyMembers } from '../groups/notify-members.ts'
import { settlePolicy } from '../guest-sights/settle-policy.ts'
import { receiveOnce } from '../newcomers/receive-once.ts'
import { keepUsers } from './keep-users.ts'
import { deleteKnownUsers, saveRealms } from './projection.queries.ts'
import { settleUser } from './settle-user.ts'

/** What messaging does when users and realm speak. */
export function reactionsToFacts(publish: Publish<'messaging'>, now: () => Date): readonly Reaction[] {
  return [
    ...Object.values(domainEvents.realm).map((event) =>
      reactTo(event, async (tx, { facts }, { request_id }) => {
        await saveRealms(tx, [facts])
        await settlePolicy(tx, facts.realm_id, request_id)
      }),
    ),
    keepFacts(domainEvents.users.systemBotCreated),
    reactTo(domainEvents.users.userUpdated, async (tx, { facts }, { request_id }) => {
      await keepUsers(tx, [facts])
      await settleUser(tx, publish, facts.user_id, request_id)
    }),
    keepFacts(domainEvents.users.settingsUpdated),
    keepFacts(domainEvents.users.alertWordsUpdated),
    reactTo(
      domainEvents.users.mutedUsersUpdated,
      async (tx, { facts, newly_muted_user_id }, { request_id }) => {
        await keepUsers(tx, [facts])
        if (newly_muted_user_id === null) return
        await readMessagesOf(tx, publish, {
          reader: facts,
          senderId: newly_muted_user_id,
          requestId: request_id,
        })
      },
    ),
    keepGroup(domainEvents.users.userGroupCreated),
    keepGroup(domainEvents.users.userGroupUpdated),
    keepGroup(domainEvents.users.userGroupSubgroupsChanged),
    keepGroup(domainEvents.users.userGroupRemoved),
    reactTo(domainEvents.users.userGroupMembersChanged, async (tx, change, { request_id }) => {
      await saveGroups(tx, [change.facts])
      await notifyMembers(tx, change, request_id)
    }),
    reactTo(domainEvents.users.organizationImported, async (tx, { users, groups }) => {
      await keepUsers(tx, users)
      await saveGroups(tx, groups)
    }),
    reactTo(domainEvents.users.importRemoved, async (tx, { realm_id }) => {
      await deleteKnownUsers(tx, realm_id)
      await deleteKnownGroups(tx, realm_id)
    }),
    reactTo(domainEvents.users.userCreated, (tx, { facts, joined }, { request_id }) =>
      receiveOnce(tx, facts, joined, { publish, now: now(), requestId: request_id }),
    ),
  ]
}

/** All that many events mean here: what is known of a user is another. */
function keepFacts(event: DomainEvent<string, z.ZodType<{ facts: UserFacts }>>): Reaction {
  return reactTo(event, (tx, { facts }) => keepUsers(tx, [facts]))
}

/** The same of a group. */
function keepGroup(event: DomainEvent<string, z.ZodType<{ facts: UserGroupFacts }>>): Reaction {
  return reactTo(event, (tx, { facts }) => saveGroups(tx, [facts]))
}

import type { RealmChanges, UsersChanges } from '@tms/contracts'
import { inTransaction, type Logger, type Pool, type Publish } from '@tms/service-kit'
import { listChangedOwners } from '../bots/former-owner.queries.ts'
import { markGroupsDeleted, saveGroups } from '../groups/known-group.queries.ts'
import { listUntoldPolicies } from '../guest-sights/policy.queries.ts'
import { settlePolicy } from '../guest-sights/settle-policy.ts'
import { keepUsers } from './keep-users.ts'
import { saveRealms } from './projection.queries.ts'
import { settleUser } from './settle-user.ts'
import { listUntold } from './standing.queries.ts'

interface Tools {
  readonly db: Pool
  readonly publish: Publish<'messaging'>
  readonly log: Logger
}

/**
 * Brings projections up to changes of users and groups, and publishes what follows from them. Their events do nothing then; they do
 * what fails here, since one user's trouble must not keep all others' changes from being known.
 */
export async function applyUsersChanges(
  { db, publish, log }: Tools,
  { users, groups, removed_group_ids }: UsersChanges,
): Promise<void> {
  const userIds = users.map(({ user_id }) => user_id)
  if (userIds.length > 0) {
    await inTransaction(db, (tx) => keepUsers(tx, users))
    const pending = new Set([...(await listUntold(db, userIds)), ...(await listChangedOwners(db, userIds))])
    for (const userId of pending) {
      await inTransaction(db, (tx) => settleUser(tx, publish, userId, null)).catch((err: unknown) =>
        log.warn({ err, userId }, 'what follows from a change of a user is left to its event'),
      )
    }
  }
  if (groups.length > 0) await saveGroups(db, groups)
  if (removed_group_ids.length > 0) await markGroupsDeleted(db, removed_group_ids)
}

/** The same of organizations. */
export async function applyRealmChanges(
  { db, log }: Omit<Tools, 'publish'>,
  { realms }: RealmChanges,
): Promise<void> {
  if (realms.length === 0) return
  await saveRealms(db, realms)
  const realmIds = realms.map(({ realm_id }) => realm_id)
  for (const realmId of await listUntoldPolicies(db, realmIds)) {
    await inTransaction(db, (tx) => settlePolicy(tx, realmId, null)).catch((err: unknown) =>
      log.warn({ err, realmId }, 'what follows from a change of an organization is left to its event'),
    )
  }
}

import type { RealmChanges, UsersChanges } from '@tms/contracts'
import { inTransaction, type Logger, type Pool, type Publish } from '@tms/service-kit'
import { listChangedOwners } from '../bots/former-owner.queries.ts'
import { markGroupsDeleted, saveGroups } from '../groups/known-group.queries.ts'
import { listPendingPolicies } from '../guest-visibility/policy.queries.ts'
import { settlePolicy } from '../guest-visibility/settle-policy.ts'
import { keepUsers } from './keep-users.ts'
import { saveRealms } from './projection.queries.ts'
import { settleUser } from './settle-user.ts'
import { listUntold } from './standing.queries.ts'

interface Tools {
  readonly db: Pool
  readonly publish: Publish<'messaging'>
  readonly log: Logger
}

/** Brings projections up to changes of users and groups. */
export async function applyUsersChanges(
  db: Pool,
  { users, groups, removed_group_ids }: UsersChanges,
): Promise<void> {
  if (users.length > 0) await inTransaction(db, (tx) => keepUsers(tx, users))
  if (groups.length > 0) await saveGroups(db, groups)
  if (removed_group_ids.length > 0) await markGroupsDeleted(db, removed_group_ids)
}

/** The same of organizations. */
export async function applyRealmChanges(db: Pool, { realms }: RealmChanges): Promise<void> {
  if (realms.length > 0) await saveRealms(db, realms)
}

/**
 * Publishes what follows from changes that were applied; of whom null: of all users. It may wait for locks of many channels. What
 * fails is left to the events of the changes.
 */
export async function settleUsersChanges(
  { db, publish, log }: Tools,
  changes: UsersChanges | null,
): Promise<void> {
  const userIds = changes && changes.users.map(({ user_id }) => user_id)
  if (userIds?.length === 0) return
  const pending = new Set([...(await listUntold(db, userIds)), ...(await listChangedOwners(db, userIds))])
  for (const userId of pending) {
    await inTransaction(db, (tx) => settleUser(tx, publish, userId, null)).catch((err: unknown) =>
      log.warn({ err, userId }, 'what follows from a change of a user is left to its event'),
    )
  }
}

/** The same of organizations. */
export async function settleRealmChanges(
  { db, log }: Omit<Tools, 'publish'>,
  changes: RealmChanges | null,
): Promise<void> {
  const realmIds = changes && changes.realms.map(({ realm_id }) => realm_id)
  for (const realmId of await listPendingPolicies(db, realmIds)) {
    await inTransaction(db, (tx) => settlePolicy(tx, realmId, null)).catch((err: unknown) =>
      log.warn({ err, realmId }, 'what follows from a change of an organization is left to its event'),
    )
  }
}

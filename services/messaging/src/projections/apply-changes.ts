import type { RealmChanges, UsersChanges } from '@tms/contracts'
import { type Logger, type Pool, type Publish, transact } from '@tms/service-kit'
import { listChangedOwners } from '../bots/former-owner.queries.ts'
import { listPendingPolicies } from '../guest-visibility/policy.queries.ts'
import { queueGuestPolicyChange } from '../guest-visibility/queue-policy-change.ts'
import { listUsersWithPendingMembership } from '../kernel/projections/published-membership.queries.ts'
import { markGroupsDeleted, saveGroups } from './group-projection.queries.ts'
import { saveRealms } from './projection.queries.ts'
import { publishUserChanges } from './publish-user-changes.ts'
import { updateUserProjections } from './update-user-projections.ts'

interface Tools {
  readonly db: Pool
  readonly publish: Publish<'messaging'>
  readonly log: Logger
}

/** Saves changed users and groups in the projections. */
export async function applyUsersChanges(
  db: Pool,
  { users, groups, removed_group_ids }: UsersChanges,
): Promise<void> {
  if (users.length > 0) await transact(db, (tx) => updateUserProjections(tx, users))
  if (groups.length > 0) await saveGroups(db, groups)
  if (removed_group_ids.length > 0) await markGroupsDeleted(db, removed_group_ids)
}

/** Saves changed organizations in the projections. */
export async function applyRealmChanges(db: Pool, { realms }: RealmChanges): Promise<void> {
  if (realms.length > 0) await saveRealms(db, realms)
}

/**
 * Publishes the effects of changes that were applied to users; null is all users. It may wait for locks of many
 * channels. If it fails for a user, the event of that change publishes them later.
 */
export async function publishEffectsOfUsersChanges(
  { db, publish, log }: Tools,
  changes: UsersChanges | null,
): Promise<void> {
  const userIds = changes && changes.users.map(({ user_id }) => user_id)
  if (userIds?.length === 0) return
  const pending = new Set([
    ...(await listUsersWithPendingMembership(db, userIds)),
    ...(await listChangedOwners(db, userIds)),
  ])
  for (const userId of pending) {
    await transact(db, (tx) => publishUserChanges(tx, publish, userId, null)).catch((err: unknown) =>
      log.warn({ err, userId }, 'effects of a change of a user wait for its event'),
    )
  }
}

/** The same for organizations. */
export async function publishEffectsOfRealmChanges(
  { db, log }: Omit<Tools, 'publish'>,
  changes: RealmChanges | null,
): Promise<void> {
  const realmIds = changes && changes.realms.map(({ realm_id }) => realm_id)
  for (const realmId of await listPendingPolicies(db, realmIds)) {
    await transact(db, (tx) => queueGuestPolicyChange(tx, realmId, null)).catch((err: unknown) =>
      log.warn({ err, realmId }, 'effects of a change of an organization wait for its event'),
    )
  }
}

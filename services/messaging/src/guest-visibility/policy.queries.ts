import { GROUP_WITH_GUESTS } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { locks } from '../kernel/locks/locks.ts'

/** SQL: whether an organization restricts what its guests see. */
const IS_RESTRICTED = `(projection ->> 'can_access_all_users_group' <> '${GROUP_WITH_GUESTS}')`

/**
 * Locks the organization and returns whether it restricts guest visibility, if that differs from what was last
 * published; null otherwise.
 */
export async function lockPendingPolicy(tx: Tx, realmId: number): Promise<boolean | null> {
  tx.lockRecord.add(locks.knownUsersAndRealms, [`realm ${realmId}`])
  const { rows } = await tx.query<{ isRestricted: boolean }>(
    `select ${IS_RESTRICTED} as "isRestricted"
       from known_realms
      where realm_id = $1
        and published_limited <> ${IS_RESTRICTED}
        for no key update`,
    [realmId],
  )
  return rows[0]?.isRestricted ?? null
}

/** Organizations whose restriction of guest visibility differs from what was last published. */
export async function listPendingPolicies(
  db: Queryable,
  among: readonly number[] | null = null,
): Promise<number[]> {
  const { rows } = await db.query<{ realmId: number }>(
    `select realm_id as "realmId"
       from known_realms
      where published_limited <> ${IS_RESTRICTED}
        and ($1::bigint[] is null or realm_id = any ($1))
      order by realm_id`,
    [among],
  )
  return rows.map(({ realmId }) => realmId)
}

/** Records what was published. */
export async function savePublishedPolicy(tx: Tx, realmId: number, isRestricted: boolean): Promise<void> {
  await tx.query('update known_realms set published_limited = $2 where realm_id = $1', [
    realmId,
    isRestricted,
  ])
}

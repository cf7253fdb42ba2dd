import type { Queryable, Tx } from '@tms/service-kit'

/** Whether an organization wants its guests' sight limited. */
const WANTED = `(projection ->> 'can_access_all_users_group' <> 'role:everyone')`

/** Whether guests' sight is to be limited, if something else has been told of it; locks the organization then. */
export async function lockPendingPolicy(tx: Tx, realmId: number): Promise<boolean | null> {
  const { rows } = await tx.query<{ isLimited: boolean }>(
    `select ${WANTED} as "isLimited"
       from known_realms
      where realm_id = $1
        and published_limited <> ${WANTED}
        for no key update`,
    [realmId],
  )
  return rows[0]?.isLimited ?? null
}

/** Organizations of whose guests' sight something else has been told than what it is. */
export async function listPendingPolicies(
  db: Queryable,
  among: readonly number[] | null = null,
): Promise<number[]> {
  const { rows } = await db.query<{ realmId: number }>(
    `select realm_id as "realmId"
       from known_realms
      where published_limited <> ${WANTED}
        and ($1::bigint[] is null or realm_id = any ($1))
      order by realm_id`,
    [among],
  )
  return rows.map(({ realmId }) => realmId)
}

/** Notes what has been told. */
export async function savePublishedPolicy(tx: Tx, realmId: number, isLimited: boolean): Promise<void> {
  await tx.query('update known_realms set published_limited = $2 where realm_id = $1', [realmId, isLimited])
}

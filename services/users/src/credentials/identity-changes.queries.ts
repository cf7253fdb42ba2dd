import type { Queryable } from '@tms/service-kit'

/** Who must be identified anew, and where to go on asking. */
export interface IdentityChanges {
  readonly cursor: string
  readonly userIds: number[]
  readonly realmIds: number[]
}

/**
 * Who changed after `since`, and the organizations of which everyone did, in one snapshot with where to go on: transactions below the snapshot's oldest running one
 * are all seen, so nothing is left out that commits late; who is above it may come again.
 */
export async function readIdentityChanges(db: Queryable, since: string | null): Promise<IdentityChanges> {
  const { rows } = await db.query<IdentityChanges>({
    name: 'identity-changes',
    text: `
      select pg_snapshot_xmin(pg_current_snapshot())::text as cursor,
             array(select distinct user_id from identity_changes where changed_in >= $1) as "userIds",
             array(select distinct realm_id from realm_identity_changes where changed_in >= $1) as "realmIds"`,
    values: [since],
  })
  const [answer] = rows
  if (!answer) throw new Error('a select without a condition gave no row')
  return answer
}

/** Deletes what every gateway has long asked for, or forgotten by itself. */
export async function deleteOldIdentityChanges(db: Queryable, ageSeconds: number): Promise<void> {
  for (const table of ['identity_changes', 'realm_identity_changes'])
    await db.query(`delete from ${table} where changed_at < now() - $1 * interval '1 s'`, [ageSeconds])
}

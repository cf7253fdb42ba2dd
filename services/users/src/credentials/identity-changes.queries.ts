import type { Queryable } from '@tms/service-kit'

/**
 * Who changed after `since`, in one snapshot with where to go on: transactions below the snapshot's oldest running one
 * are all seen, so nothing is left out that commits late; who is above it may come again.
 */
export async function readIdentityChanges(
  db: Queryable,
  since: string | null,
): Promise<{ cursor: string; userIds: number[] }> {
  const { rows } = await db.query<{ cursor: string; userIds: number[] }>({
    name: 'identity-changes',
    text: `
      select pg_snapshot_xmin(pg_current_snapshot())::text as cursor,
             array(select distinct user_id from identity_changes where changed_in >= $1) as "userIds"`,
    values: [since],
  })
  const [answer] = rows
  if (!answer) throw new Error('a select without a condition gave no row')
  return answer
}

/** Deletes what every gateway has long asked for, or forgotten by itself. */
export async function deleteOldIdentityChanges(db: Queryable, ageSeconds: number): Promise<void> {
  await db.query(`delete from identity_changes where changed_at < now() - $1 * interval '1 s'`, [ageSeconds])
}

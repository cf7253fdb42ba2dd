import type { Queryable } from '@tms/service-kit'

/** Claims a notice; false if it was handed over before. */
export async function claimNotice(
  tx: Queryable,
  {
    noticeId,
    realmId,
    userId,
    at,
  }: { readonly noticeId: string; readonly realmId: number; readonly userId: number; readonly at: Date },
): Promise<boolean> {
  const { rows } = await tx.query(
    `insert into push_hand_overs (id, realm_id, user_id, handed_over_at, is_shown)
     values ($1, $2, $3, $4, false)
         on conflict do nothing
     returning id`,
    [noticeId, realmId, userId, at.toISOString()],
  )
  return rows.length > 0
}

/** Counts a notice against what an hour may bring. */
export async function countNotice(tx: Queryable, noticeId: string): Promise<void> {
  await tx.query('update push_hand_overs set is_shown = true where id = $1 returning id', [noticeId])
}

/** How many notices have appeared on the devices of a user within the hour before, at most `most`. */
export async function countNoticesOfHour(
  db: Queryable,
  userId: number,
  now: Date,
  most: number,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count
       from (select
               from push_hand_overs
              where user_id = $1
                and handed_over_at > $2::timestamptz - interval '1 hour'
                and is_shown
              limit $3) shown`,
    [userId, now.toISOString(), most],
  )
  return rows[0]?.count ?? 0
}

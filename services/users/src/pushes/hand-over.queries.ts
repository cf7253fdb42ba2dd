import type { Queryable } from '@tms/service-kit'

/** Claims notices; returns the IDs of those that were not handed over before. */
export async function claimNotices(
  tx: Queryable,
  notices: readonly { readonly notice_id: string; readonly realm_id: number; readonly user_id: number }[],
  at: Date,
): Promise<Set<string>> {
  const { rows } = await tx.query<{ id: string }>(
    `insert into push_hand_overs (id, realm_id, user_id, handed_over_at, is_shown)
     select id, realm_id, user_id, $4::timestamptz, false
       from unnest($1::uuid[], $2::int[], $3::int[]) as notice (id, realm_id, user_id)
      order by id
         on conflict do nothing
     returning id::text`,
    [
      notices.map(({ notice_id }) => notice_id),
      notices.map(({ realm_id }) => realm_id),
      notices.map(({ user_id }) => user_id),
      at.toISOString(),
    ],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Counts notices against what an hour may bring. */
export async function countNotices(tx: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.query('update push_hand_overs set is_shown = true where id = any ($1::uuid[])', [ids])
}

/** How many notices have appeared on the devices of each of these users within the hour before. */
export async function countNoticesOfHour(
  db: Queryable,
  userIds: readonly number[],
  now: Date,
): Promise<Map<number, number>> {
  const { rows } = await db.query<{ userId: number; count: number }>(
    `select user_id as "userId", count(*)::int as count
       from push_hand_overs
      where user_id = any ($1::int[])
        and handed_over_at > $2::timestamptz - interval '1 hour'
        and is_shown
      group by user_id`,
    [userIds, now.toISOString()],
  )
  return new Map(rows.map(({ userId, count }) => [userId, count]))
}

import type { Queryable } from '@tms/service-kit'
import type { ShownOfHour } from './hour-limit.rules.ts'

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

/** Counts notices against what an hour may bring; of these, some are summaries. */
export async function countNotices(
  tx: Queryable,
  ids: readonly string[],
  summaries: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await tx.query(
    `update push_hand_overs set is_shown = true, is_summary = id = any ($2::uuid[]) where id = any ($1::uuid[])`,
    [ids, summaries],
  )
}

/** What has appeared on the devices of each of these users within the hour before. */
export async function countNoticesOfHour(
  db: Queryable,
  userIds: readonly number[],
  now: Date,
): Promise<Map<number, ShownOfHour>> {
  const { rows } = await db.query<ShownOfHour & { readonly userId: number }>(
    `select user_id as "userId", count(*)::int as count, bool_or(is_summary) as "isSummedUp"
       from push_hand_overs
      where user_id = any ($1::int[])
        and handed_over_at > $2::timestamptz - interval '1 hour'
        and is_shown
      group by user_id`,
    [userIds, now.toISOString()],
  )
  return new Map(rows.map(({ userId, count, isSummedUp }) => [userId, { count, isSummedUp }]))
}

import type { Queryable } from '@tms/service-kit'

/** The first message at or after an ID, and when it was sent. */
export async function findTimeOfMessageAt(
  db: Queryable,
  fromId: number,
): Promise<{ id: number; sentAt: Date } | null> {
  const { rows } = await db.query<{ id: number; sentAt: Date }>({
    name: 'find-time-of-message-at',
    text: `
      select id, sent_at as "sentAt"
        from messages
       where id >= $1
       order by id
       limit 1`,
    values: [fromId],
  })
  return rows[0] ?? null
}

/**
 * Updates the weekly messages of each channel: counts messages with IDs from `fromId` on, over `days` days or the
 * age of the channel, rounded to two significant digits and at least 1 if there are any. Each count uses only the
 * index `messages_of_recipient`. Concurrent replicas write the same values.
 */
export async function countTraffic(db: Queryable, fromId: number, days: number): Promise<void> {
  await db.query(
    `insert into channel_traffic (channel_id, weekly_messages)
     select channel_id, round(weekly, 2 - length(weekly::text))
       from channels
      cross join lateral (
             select count(*) as total
               from messages
              where messages.recipient_id = channels.recipient_id
                and messages.id >= $1) counted
      cross join lateral (
             select id as channel_id,
                    least($2::numeric, greatest(1, extract(day from now() - created_at))) as age) aged
      cross join lateral (
             select greatest(floor(total * 7 / age), least(total, 1))::numeric as weekly) averaged
      where not is_archived
      order by channel_id
         on conflict (channel_id) do update
        set weekly_messages = excluded.weekly_messages
      where channel_traffic.weekly_messages <> excluded.weekly_messages`,
    [fromId, days],
  )
}

import type { Queryable } from '@tms/service-kit'

/**
 * SQL: the ID from which on the messages of a channel were sent since `$1`. In a channel IDs grow with time, also after an
 * import, which keeps them; in the installation they don't then. So each channel is searched by halves, which needs no index
 * on the time that every send would have to maintain.
 */
const FIRST_ID_SINCE = `
  with recursive halves (low, high) as (
    select case when newest.sent_at >= $1 then 1 else newest.id + 1 end, newest.id + 1
      from (select id, sent_at
              from messages
             where messages.recipient_id = channels.recipient_id
             order by id desc
             limit 1) newest
    union all
    select case when next.sent_at < $1 then next.id + 1 else low end,
           case when next.sent_at < $1 then high else (low + high) / 2 end
      from halves
      left join lateral (
             select id, sent_at
               from messages
              where messages.recipient_id = channels.recipient_id
                and id >= (low + high) / 2
                and id < high
              order by id
              limit 1) next on true
     where low < high)
  select low as id from halves where low = high`

/**
 * Updates the weekly messages of each channel: counts messages since a time, over `days` days or the age of the channel,
 * rounded to two significant digits and at least 1 if there are any. Each count uses only the index
 * `messages_of_recipient`. Concurrent replicas write the same values.
 */
export async function countTraffic(db: Queryable, since: Date, days: number): Promise<void> {
  await db.query(
    `insert into channel_traffic (channel_id, weekly_messages)
     select channel_id, round(weekly, 2 - length(weekly::text))
       from channels
      cross join lateral (${FIRST_ID_SINCE}) first
      cross join lateral (
             select count(*) as total
               from messages
              where messages.recipient_id = channels.recipient_id
                and messages.id >= first.id) counted
      cross join lateral (
             select channels.id as channel_id,
                    least($2::numeric, greatest(1, extract(day from now() - created_at))) as age) aged
      cross join lateral (
             select greatest(floor(total * 7 / age), least(total, 1))::numeric as weekly) averaged
      where not is_archived
      order by channel_id
         on conflict (channel_id) do update
        set weekly_messages = excluded.weekly_messages
      where channel_traffic.weekly_messages <> excluded.weekly_messages`,
    [since, days],
  )
}

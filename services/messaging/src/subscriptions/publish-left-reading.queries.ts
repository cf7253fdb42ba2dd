import { domainEvents } from '@tms/contracts'
import { type Cause, currentTraceparent, type Tx } from '@tms/service-kit'
import { FLAG_BATCH } from '../flags/flag.rules.ts'

/**
 * Message IDs that one transaction names of what users leave unread: it holds the channels' locks meanwhile. It is all of one
 * user's, and the newest of each where many are taken out of a channel at once.
 */
const MAX_NAMED = 100_000

/**
 * Publishes that what these users, or all with null, have not read of channels is read, because they leave: clients keep flags
 * by message, and may show these again after joining again. Costs nothing for who has read all. Call it before the
 * subscriptions end. Needs the channels' locks; locks the subscriptions.
 *
 * One statement for everybody, since it may concern as many as are in a channel: these events don't go through `publish`.
 */
export async function publishLeftReading(
  tx: Tx,
  channelIds: readonly number[],
  userIds: readonly number[] | null,
  { realmId, requestId }: Cause,
): Promise<void> {
  if (channelIds.length === 0) return
  // Two statements: one for both would be planned for everybody, and read all subscriptions of a channel for one who leaves.
  const [name, whose] =
    userIds === null
      ? ['publish-left-reading-of-all', '$2::bigint[] is null']
      : ['publish-left-reading', 's.user_id = any($2::bigint[]) and s.is_active']
  await tx.query({
    name,
    text: `
      with leaving as materialized (
        select s.user_id, channels.recipient_id,
               (s.received - s.read) * int8multirange(int8range(null, recipients.last_message_id, '[]')) as unread
          from subscriptions s
          join channels on channels.id = s.channel_id
          join recipients on recipients.id = channels.recipient_id
         where s.channel_id = any($1::bigint[])
           and ${whose}
         order by s.channel_id, s.user_id
           for no key update of s
      ), gaps as materialized (
        select user_id, recipient_id,
               coalesce(lower(gap), 0) as low, coalesce(upper(gap), 9223372036854775807) as high
          from leaving
         cross join unnest(unread) gap
      ), quota as materialized (
        select greatest(1, ${MAX_NAMED} / greatest(count(distinct user_id), 1)) as per_user
          from gaps
      ), unread as (
        select user_id, found.id, row_number() over (partition by user_id order by found.id desc) as place
          from gaps
         cross join lateral (
               select m.id
                 from messages m
                where m.recipient_id = gaps.recipient_id
                  and m.id >= gaps.low
                  and m.id < gaps.high
                order by m.id desc
                limit (select per_user from quota)) found
      ), batches as (
        select user_id, json_agg(id order by id) as ids
          from unread
         where place <= (select per_user from quota)
         group by user_id, (place - 1) / ${FLAG_BATCH}
      )
      insert into outbox (event, realm_id, request_id, payload, traceparent)
      select $3, $4, $5,
             json_build_object('user_id', user_id, 'op', 'add', 'flag', 'read', 'messages', ids, 'all', false)::text, $6
        from batches
       order by user_id`,
    values: [
      channelIds,
      userIds,
      domainEvents.messaging.messageFlagsUpdated.name,
      realmId,
      requestId,
      currentTraceparent(),
    ],
  })
}

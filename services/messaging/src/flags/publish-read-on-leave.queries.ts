import { domainEvents } from '@tms/contracts'
import { type Cause, currentTraceparent, type Tx } from '@tms/service-kit'
import { FLAG_BATCH } from './flag.rules.ts'

/**
 * Maximum of message IDs that one transaction publishes, because it holds the locks of the channels meanwhile. One
 * user gets all of their messages; if many users leave at once, each gets the newest.
 */
const MAX_MESSAGE_IDS = 100_000

/**
 * Publishes the unread messages of these users, or of all subscribers with null, as read, because they leave the
 * channels: clients keep flags by message, and may show these again after a later subscription. Users without
 * unread messages cost nothing. Call it before the subscriptions end. Needs the locks of the channels; locks the
 * subscriptions.
 *
 * It is one statement, since it may concern everyone in a channel, so these events don't go through `publish`.
 */
export async function publishReadOnLeave(
  tx: Tx,
  channelIds: readonly number[],
  userIds: readonly number[] | null,
  { realmId, requestId }: Cause,
): Promise<void> {
  if (channelIds.length === 0) return
  // Two statements: a common one would be planned for all subscribers, and scan all subscriptions of a channel for
  // one user.
  const [name, condition] =
    userIds === null
      ? ['publish-read-on-leave-of-all', '$2::bigint[] is null']
      : ['publish-read-on-leave', 's.user_id = any($2::bigint[]) and s.is_active']
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
           and ${condition}
         order by s.channel_id, s.user_id
           for no key update of s
      ), gaps as materialized (
        select user_id, recipient_id,
               coalesce(lower(gap), 0) as low, coalesce(upper(gap), 9223372036854775807) as high
          from leaving
         cross join unnest(unread) gap
      ), quota as materialized (
        select greatest(1, ${MAX_MESSAGE_IDS} / greatest(count(distinct user_id), 1)) as per_user
          from gaps
      ), unread as (
        select user_id, found.id, row_number() over (partition by user_id order by found.id desc) as rank
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
         where rank <= (select per_user from quota)
         group by user_id, (rank - 1) / ${FLAG_BATCH}
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
  tx.markPublished()
}

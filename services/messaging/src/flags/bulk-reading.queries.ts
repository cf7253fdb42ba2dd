import type { Queryable, Tx } from '@tms/service-kit'
import { locks } from '../kernel/locks/locks.ts'
import { caseKey } from '../kernel/text/case-key.ts'

/**
 * Locks every recipient from which the user receives messages against changes until the transaction ends, lowest
 * ID first like everyone: senders wait, other readers don't.
 */
export async function lockOwnRecipients(tx: Tx, userId: number): Promise<void> {
  tx.lockRecord.add(locks.recipients)
  await tx.query({
    name: 'lock-own-recipients',
    text: `
      select
        from recipients
       where id in (
               select recipient_id
                 from subscriptions
                 join channels on channels.id = channel_id
                where user_id = $1
                  and is_active
               union all
               select recipient_id
                 from conversation_members
                where user_id = $1)
       order by id
         for share`,
    values: [userId],
  })
}

/**
 * Marks everything that the user received as read, by one range per recipient. Returns whether anything was
 * unread. First lock with `lockOwnRecipients` in a separate statement, so that this one sees what senders wrote.
 */
export async function markAllRead(tx: Tx, userId: number): Promise<boolean> {
  const { rows } = await tx.query<{ hasChanged: boolean }>({
    name: 'mark-all-read',
    text: `
      with in_channels as (
        update subscriptions s
           set read = s.read + s.received * int8multirange(int8range(null, recipients.last_message_id, '[]'))
          from channels
          join recipients on recipients.id = channels.recipient_id
         where s.user_id = $1
           and channels.id = s.channel_id
           and not s.read @> (s.received * int8multirange(int8range(null, recipients.last_message_id, '[]')))
        returning true
      ), in_conversations as (
        update conversation_members c
           set read = int8multirange(int8range(null, recipients.last_message_id, '[]'))
          from recipients
         where c.user_id = $1
           and recipients.id = c.recipient_id
           and recipients.last_message_id > 0
           and not c.read @> int8range(null, recipients.last_message_id, '[]')
        returning true
      )
      select exists (select from in_channels) or exists (select from in_conversations) as "hasChanged"`,
    values: [userId],
  })
  return rows[0]?.hasChanged ?? false
}

/**
 * Lists the oldest unread messages after `afterId` that the user received in a channel or one of its topics,
 * ascending, at most `limit`. Reads only the gaps between read ranges.
 */
export async function listUnreadIds(
  db: Queryable,
  part: { userId: number; recipientId: number; topic: string | null; afterId: number; limit: number },
): Promise<number[]> {
  const inTopic = part.topic === null ? '' : 'and m.topic_key = $5'
  const { rows } = await db.query<{ id: number }>({
    name: part.topic === null ? 'list-unread-ids' : 'list-unread-ids-of-topic',
    text: `
      with gaps as materialized (
        select coalesce(lower(gap), 0) as low, coalesce(upper(gap), 9223372036854775807) as high
          from subscriptions s
          join channels c on c.id = s.channel_id
         cross join unnest((s.received - s.read) * int8multirange(int8range($3, null, '()'))) gap
         where c.recipient_id = $2
           and s.user_id = $1
      )
      select unread.id
        from gaps
       cross join lateral (
              select m.id
                from messages m
               where m.recipient_id = $2
                 and m.id >= gaps.low
                 and m.id < gaps.high ${inTopic}
               order by m.id
               limit $4) unread
       order by unread.id
       limit $4`,
    values: [
      part.userId,
      part.recipientId,
      part.afterId,
      part.limit,
      ...(part.topic === null ? [] : [caseKey(part.topic)]),
    ],
  })
  return rows.map(({ id }) => id)
}

/** Whether the user has a message of a topic, received or flagged in the history of the channel. */
export async function hasMessageInTopic(
  db: Queryable,
  userId: number,
  channel: { id: number; recipientId: number },
  topic: string,
): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>({
    name: 'has-message-in-topic',
    text: `
      select exists (
               select
                 from subscriptions s
                cross join unnest(s.received) received_range
                cross join lateral (
                      select
                        from messages m
                       where m.recipient_id = $3
                         and m.topic_key = $4
                         and m.id >= coalesce(lower(received_range), 0)
                         and m.id < coalesce(upper(received_range), 9223372036854775807)
                       limit 1) found
                where s.channel_id = $2
                  and s.user_id = $1)
          or exists (
               select
                 from message_flags f
                 join messages m on m.id = f.message_id
                where f.user_id = $1
                  and f.is_historical
                  and m.recipient_id = $3
                  and m.topic_key = $4) as has`,
    values: [userId, channel.id, channel.recipientId, caseKey(topic)],
  })
  return rows[0]?.has ?? false
}

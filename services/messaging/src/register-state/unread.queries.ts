import type { Queryable } from '@tms/service-kit'
import { isMutedSql } from '../kernel/messages/muting.queries.ts'
import { isParticipantSql } from '../kernel/messages/participation.queries.ts'

/** An unread message of a user. */
export interface UnreadMessage {
  readonly id: number
  readonly recipientId: number
  /** Null for a direct message. */
  readonly channelId: number | null
  /** By the user's policies for its topic and its channel. */
  readonly isMuted: boolean
  readonly topic: string
  readonly mentionsChannel: boolean
  /** It mentions its topic, and the user is a participant of that. */
  readonly mentionsOwnTopic: boolean
}

/**
 * Lists the newest unread messages above `afterId` and up to `untilId`, newest first, at most `limit`. Takes the
 * gaps between the read ranges of received messages, and reads each by the index `messages_of_recipient`: the cost
 * grows with the gaps and unread messages, not with all messages. Testing `read @> id` on each message is 20 times
 * slower. The inner limit keeps the planner from scanning all messages by ID instead.
 */
export async function listUnread(
  db: Queryable,
  { userId, afterId, untilId, limit }: { userId: number; afterId: number; untilId: number; limit: number },
): Promise<UnreadMessage[]> {
  const { rows } = await db.query<UnreadMessage>({
    name: 'list-unread',
    text: `
      with gaps as materialized (
        select recipients.id as recipient_id, channel_id, is_muted, gap
          from subscriptions
          join channels on channels.id = channel_id
          join recipients on recipients.id = channels.recipient_id
         cross join lateral unnest(
                 received * int8multirange(int8range($2, least(last_message_id, $4), '(]')) - read) as gap
         where user_id = $1
           and not is_archived
           -- Excludes messages of private channels for bots that were mentioned there without being in them.
           and (subscriptions.is_active or not invite_only)
           and last_message_id > $2
        union all
        select recipients.id, null, false, gap
          from conversation_members
          join recipients on recipients.id = recipient_id
         cross join lateral unnest(int8multirange(int8range($2, least(last_message_id, $4), '(]')) - read) as gap
         where user_id = $1
           and last_message_id > $2
      ), own_topics as materialized (
        select channel_id, topic_key, visibility_policy
          from user_topics
         where user_id = $1
      )
      select unread.id, recipient_id as "recipientId", gaps.channel_id as "channelId",
             ${isMutedSql('own_topics.visibility_policy', 'is_muted')} as "isMuted",
             topic, mentions_channel as "mentionsChannel", mentions_own_topic as "mentionsOwnTopic"
        from gaps
       cross join lateral (
              select m.id, m.topic, m.topic_key, m.mentions_channel,
                     m.mentions_topic and ${isParticipantSql('$1')} as mentions_own_topic
                from messages m
               where m.recipient_id = gaps.recipient_id
                 and m.id >= lower(gap)
                 and m.id < upper(gap)
               order by m.id desc
               limit $3) unread
        left join own_topics
          on own_topics.channel_id = gaps.channel_id
         and own_topics.topic_key = unread.topic_key
       order by unread.id desc
       limit $3`,
    values: [userId, afterId, limit, untilId],
  })
  return rows
}

/** Lists messages from `fromId` on in which a user is mentioned by name or group. */
export async function listMentionedIds(db: Queryable, userId: number, fromId: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'list-mentioned-ids',
    text: `
      select message_id as id
        from message_flags
       where user_id = $1
         and message_id >= $2
         and is_mentioned`,
    values: [userId, fromId],
  })
  return rows.map(({ id }) => id)
}

/** Lists the members of these conversations, ascending. */
export async function listConversationUsers(
  db: Queryable,
  recipientIds: readonly number[],
): Promise<Map<number, readonly number[]>> {
  const { rows } = await db.query<{ recipientId: number; userIds: number[] }>({
    name: 'list-conversation-users',
    text: `
      select recipient_id as "recipientId", to_json(user_ids) as "userIds"
        from conversations
       where recipient_id = any($1)`,
    values: [recipientIds],
  })
  return new Map(rows.map(({ recipientId, userIds }) => [recipientId, userIds]))
}

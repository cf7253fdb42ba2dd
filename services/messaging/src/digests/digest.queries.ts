import { VisibilityPolicy } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { TopicNews } from './choose-topics.rules.ts'

/** Channels of a user that are looked at: those with most messages. */
const MAX_CHANNELS = 200
/** Newest messages of a channel that are looked at. */
const MAX_MESSAGES_OF_CHANNEL = 2_000
/** Topics of a channel that can be in a digest: those with most people, and the longest. */
const MAX_TOPICS_OF_CHANNEL = 10

/** New channels that are counted. */
const MAX_NEW_CHANNELS = 1_000

export interface DigestChannel {
  readonly id: number
  readonly recipientId: number
  readonly name: string
}

/** Whether a user has written anything since a time. Finds the newest message alone. */
export async function hasWrittenSince(db: Queryable, userId: number, since: number): Promise<boolean> {
  const { rows } = await db.query({
    name: 'has-written-since',
    text: `
      select 1
        from (select sent_at from messages where sender_id = $1 order by id desc limit 1) newest
       where newest.sent_at > to_timestamp($2)`,
    values: [userId, since],
  })
  return rows.length > 0
}

/** The channels that a user is subscribed to and hasn't muted, those with most messages. */
export async function listDigestChannels(db: Queryable, userId: number): Promise<DigestChannel[]> {
  const { rows } = await db.query<DigestChannel>({
    name: 'list-channels-of-digest',
    text: `
      select c.id, c.recipient_id as "recipientId", c.name
        from subscriptions s
        join channels c on c.id = s.channel_id and not c.is_archived
        left join channel_traffic t on t.channel_id = s.channel_id
       where s.user_id = $1
         and s.is_active
         and not s.is_muted
       order by coalesce(t.weekly_messages, 0) desc, c.id desc
       limit ${MAX_CHANNELS}`,
    values: [userId],
  })
  return rows
}

/** What happened in each of these channels since a time, by recipient: the topics that can be in digests. */
export async function listTopicNews(
  db: Queryable,
  recipientIds: readonly number[],
  since: number,
): Promise<Map<number, TopicNews[]>> {
  const { rows } = await db.query<TopicNews & { readonly recipientId: number }>({
    name: 'list-topic-activity-for-digests',
    text: `
      select recipient_id as "recipientId", topic_key as "topicKey", messages, people, first_id as "firstId"
        from (select channel.recipient_id, recent.topic_key, count(*) as messages, min(recent.id) as first_id,
                     count(distinct recent.sender_id) filter (where sender.projection -> 'is_bot' = 'false') as people,
                     row_number() over (partition by channel.recipient_id order by count(*) desc) as by_length,
                     row_number() over (
                       partition by channel.recipient_id
                           order by count(distinct recent.sender_id)
                                      filter (where sender.projection -> 'is_bot' = 'false') desc) as by_people
                from unnest($1::bigint[]) as channel (recipient_id)
               cross join lateral (
                       select m.id, m.topic_key, m.sender_id, m.sent_at
                         from messages m
                        where m.recipient_id = channel.recipient_id
                        order by m.id desc
                        limit ${MAX_MESSAGES_OF_CHANNEL}
                     ) recent
                left join known_users sender on sender.user_id = recent.sender_id
               where recent.sent_at > to_timestamp($2)
               group by channel.recipient_id, recent.topic_key) topics
       where by_length <= ${MAX_TOPICS_OF_CHANNEL}
          or by_people <= ${MAX_TOPICS_OF_CHANNEL}`,
    values: [recipientIds, since],
  })
  return Map.groupBy(rows, ({ recipientId }) => recipientId)
}

/** The topics of these channels that a user has muted. */
export async function listMutedTopics(
  db: Queryable,
  userId: number,
  channelIds: readonly number[],
): Promise<{ channelId: number; topicKey: string }[]> {
  const { rows } = await db.query<{ channelId: number; topicKey: string }>({
    name: 'list-muted-topics-for-digest',
    text: `
      select channel_id as "channelId", topic_key as "topicKey"
        from user_topics
       where user_id = $1
         and channel_id = any($2::bigint[])
         and visibility_policy = ${VisibilityPolicy.muted}`,
    values: [userId, channelIds],
  })
  return rows
}

/** The first messages of a topic since a time, at most `limit`, by ID; `firstId` is where it begins to be looked for. */
export async function listTopicMessages(
  db: Queryable,
  topic: { readonly recipientId: number; readonly topicKey: string; readonly firstId: number },
  since: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'list-topic-messages-for-digest',
    text: `
      select id
        from messages
       where recipient_id = $1
         and topic_key = $2
         and id >= $3
         and sent_at > to_timestamp($4)
       order by id
       limit $5`,
    values: [topic.recipientId, topic.topicKey, topic.firstId, since, limit],
  })
  return rows.map(({ id }) => id)
}

/** Channels that were created since a time, the newest first: public ones, or only web-public ones. */
export async function listNewChannels(
  db: Queryable,
  realmId: number,
  since: number,
  kind: 'public' | 'web-public',
): Promise<{ id: number; name: string }[]> {
  const { rows } = await db.query<{ id: number; name: string }>({
    name: 'list-new-channels-for-digest',
    text: `
      select id, name
        from channels
       where realm_id = $1
         and not is_archived
         and not invite_only
         and (is_web_public or $3)
         and created_at > to_timestamp($2)
       order by id desc
       limit ${MAX_NEW_CHANNELS}`,
    values: [realmId, since, kind === 'public'],
  })
  return rows
}

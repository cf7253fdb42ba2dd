import type { Queryable } from '@tms/service-kit'

/** A topic: its latest spelling and its newest message. */
export interface Topic {
  readonly name: string
  readonly max_id: number
}

/**
 * The topics of a channel, newest first. Steps from topic to topic along `messages_of_topic` (recipient,
 * folded topic, ID), one descent each, however many messages a topic has.
 */
export async function listTopics(db: Queryable, recipientId: number): Promise<Topic[]> {
  const { rows } = await db.query<Topic>({
    name: 'list-topics',
    text: `
      with recursive topics as (
        (select topic_key as key, id
           from messages
          where recipient_id = $1
          order by topic_key desc, id desc
          limit 1)
        union all
        select next.key, next.id
          from topics
         cross join lateral (
                select topic_key as key, messages.id
                  from messages
                 where recipient_id = $1
                   and topic_key < topics.key
                 order by topic_key desc, messages.id desc
                 limit 1) next
      )
      select messages.topic as name, messages.id as max_id
        from topics
        join messages on messages.id = topics.id
       order by messages.id desc`,
    values: [recipientId],
  })
  return rows
}

/**
 * The topics of which a user received something, newest first, with the newest message received. Each topic
 * costs one descent per stretch of time that the user was subscribed.
 */
export async function listReceivedTopics(
  db: Queryable,
  { recipientId, channelId, userId }: { recipientId: number; channelId: number; userId: number },
): Promise<Topic[]> {
  const { rows } = await db.query<Topic>({
    name: 'list-received-topics',
    text: `
      with recursive stretches as materialized (
        select coalesce(lower(stretch), 0) as first_id,
               coalesce(upper(stretch), 9223372036854775807) as end_id
          from subscriptions, unnest(received) as stretch
         where channel_id = $2
           and user_id = $3
      ), topics as (
        (select topic_key as key
           from messages
          where recipient_id = $1
          order by topic_key desc
          limit 1)
        union all
        select next.key
          from topics
         cross join lateral (
                select topic_key as key
                  from messages
                 where recipient_id = $1
                   and topic_key < topics.key
                 order by topic_key desc
                 limit 1) next
      ), newest as (
        select max(found.id) as id
          from topics
         cross join stretches
         cross join lateral (
                select messages.id
                  from messages
                 where recipient_id = $1
                   and topic_key = topics.key
                   and messages.id >= stretches.first_id
                   and messages.id < stretches.end_id
                 order by messages.id desc
                 limit 1) found
         group by topics.key
      )
      select messages.topic as name, messages.id as max_id
        from newest
        join messages on messages.id = newest.id
       order by messages.id desc`,
    values: [recipientId, channelId, userId],
  })
  return rows
}

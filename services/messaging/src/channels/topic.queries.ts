import type { Queryable } from '@tms/service-kit'

/** A topic: its latest spelling and its newest message. */
export interface Topic {
  readonly name: string
  readonly max_id: number
}

/**
 * Lists the topics of a channel, newest first. Steps from topic to topic along the index `messages_of_topic`
 * (recipient, folded topic, ID) with one descent each, however many messages a topic has.
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
 * Lists the topics in which a user received messages, newest first, with the newest received message. Each topic
 * costs one descent for each period of the user's subscription.
 */
export async function listReceivedTopics(
  db: Queryable,
  { recipientId, channelId, userId }: { recipientId: number; channelId: number; userId: number },
): Promise<Topic[]> {
  const { rows } = await db.query<Topic>({
    name: 'list-received-topics',
    text: `
      with recursive received_ranges as materialized (
        select coalesce(lower(received_range), 0) as first_id,
               coalesce(upper(received_range), 9223372036854775807) as end_id
          from subscriptions, unnest(received) as received_range
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
         cross join received_ranges
         cross join lateral (
                select messages.id
                  from messages
                 where recipient_id = $1
                   and topic_key = topics.key
                   and messages.id >= received_ranges.first_id
                   and messages.id < received_ranges.end_id
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

import type { Queryable } from '@tms/service-kit'
import { caseKey } from '../case-key.ts'
import { CHANNEL_COLUMNS, type Channel } from '../channels/channel.queries.ts'
import { IS_SUBSCRIBER } from '../subscriptions/subscription.queries.ts'
import type { ChannelReference } from './addressee.rules.ts'
import { PARTICIPANT_WINDOW } from './participation.queries.ts'

/** A channel and how the asking user stands to it. */
export interface ChannelPlace {
  readonly channel: Channel
  readonly isSubscribed: boolean
}

type Row = Channel & { isSubscribed: boolean }

/** A topic of a channel, before a message is sent to it. */
export interface TopicPlace extends ChannelPlace {
  /** How the sender sees channel and topic. */
  readonly standing: { readonly isChannelMuted: boolean; readonly current: number }
  /** Somebody has written there before. */
  readonly isStarted: boolean
  /** Of what is said of the channel: higher as soon as it may no longer hold. */
  readonly revision: number
}

type TopicRow = Row & { isChannelMuted: boolean; current: number; isStarted: boolean; revision: number }

const placeBy = (condition: string, more = '') => `
  select ${CHANNEL_COLUMNS}, coalesce(s.is_active, false) as "isSubscribed"${more}
    from channels
    left join subscriptions s
      on s.channel_id = id
     and s.user_id = $2
   where realm_id = $1
     and not is_archived
     and ${condition}`

const BY_ID = { name: 'find-channel-place-by-id', text: placeBy('id = $3') }
const BY_NAME = { name: 'find-channel-place-by-name', text: placeBy('name_key = $3') }

/** The channel by ID, or by name ignoring case, with the user's subscription: one query for both. */
export async function findChannelPlace(
  db: Queryable,
  { realmId, userId }: { realmId: number; userId: number },
  reference: ChannelReference,
): Promise<ChannelPlace | null> {
  const { rows } = await db.query<Row>(
    'id' in reference
      ? { ...BY_ID, values: [realmId, userId, reference.id] }
      : { ...BY_NAME, values: [realmId, userId, caseKey(reference.name)] },
  )
  const [row] = rows
  if (!row) return null
  const { isSubscribed, ...channel } = row
  return { channel, isSubscribed }
}

const hasMessages = (recipientId: string, topicKey: string) => `
  exists (select from messages where messages.recipient_id = ${recipientId} and topic_key = ${topicKey})`

const TOPIC_COLUMNS = `,
         coalesce(s.is_muted, false) as "isChannelMuted",
         coalesce((select visibility_policy
                     from user_topics
                    where user_topics.user_id = $2
                      and user_topics.channel_id = channels.id
                      and topic_key = $4), 0) as current,
         ${hasMessages('channels.recipient_id', '$4')} as "isStarted",
         (select revision from recipients where recipients.id = channels.recipient_id) as revision`

const TOPIC_BY_ID = { name: 'find-topic-place-by-id', text: placeBy('id = $3', TOPIC_COLUMNS) }
const TOPIC_BY_NAME = { name: 'find-topic-place-by-name', text: placeBy('name_key = $3', TOPIC_COLUMNS) }

/** The same with a topic of the channel: still one query, since every message sent needs all of it. */
export async function findTopicPlace(
  db: Queryable,
  { realmId, userId }: { realmId: number; userId: number },
  reference: ChannelReference,
  topic: string,
): Promise<TopicPlace | null> {
  const key = caseKey(topic)
  const { rows } = await db.query<TopicRow>(
    'id' in reference
      ? { ...TOPIC_BY_ID, values: [realmId, userId, reference.id, key] }
      : { ...TOPIC_BY_NAME, values: [realmId, userId, caseKey(reference.name), key] },
  )
  const [row] = rows
  if (!row) return null
  const { isSubscribed, isChannelMuted, current, isStarted, revision, ...channel } = row
  return { channel, isSubscribed, standing: { isChannelMuted, current }, isStarted, revision }
}

/** Whether somebody has written in a topic. */
export async function isTopicStarted(db: Queryable, recipientId: number, topic: string): Promise<boolean> {
  const { rows } = await db.query<{ isStarted: boolean }>({
    name: 'is-topic-started',
    text: `select ${hasMessages('$1', '$2')} as "isStarted"`,
    values: [recipientId, caseKey(topic)],
  })
  return rows[0]?.isStarted ?? false
}

/** How many subscribe to a channel, counted up to `atMost`: the cost doesn't grow with the channel. */
export async function countSubscribers(db: Queryable, channelId: number, atMost: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'count-subscribers-up-to',
    text: `
      select count(*) as count
        from (select from subscriptions where channel_id = $1 and ${IS_SUBSCRIBER} limit $2) some_of_them`,
    values: [channelId, atMost],
  })
  return rows[0]?.count ?? 0
}

/** Those of `userIds` who are subscribed. */
export async function listSubscribed(
  db: Queryable,
  channelId: number,
  userIds: readonly number[],
): Promise<number[]> {
  const { rows } = await db.query<{ userId: number }>({
    name: 'list-subscribed',
    text: `
      select user_id as "userId"
        from subscriptions
       where channel_id = $1
         and user_id = any($2)
         and is_active
       order by user_id`,
    values: [channelId, userIds],
  })
  return rows.map(({ userId }) => userId)
}

/**
 * Participants of a topic: who sent one of its last `PARTICIPANT_WINDOW` messages, or reacted to one. As it was when the
 * message `beforeId` was sent, or as it is.
 */
export async function listParticipants(
  db: Queryable,
  recipientId: number,
  topic: string,
  beforeId: number | null = null,
): Promise<number[]> {
  const { rows } = await db.query<{ userId: number }>({
    name: 'list-participants',
    text: `
      with recent as materialized (
        select id, sender_id
          from messages
         where recipient_id = $1
           and topic_key = $2
           and id < coalesce($3, ${Number.MAX_SAFE_INTEGER})
         order by id desc
         limit ${PARTICIPANT_WINDOW}
      )
      select sender_id as "userId" from recent
       union
      select user_id
        from reactions
       where message_id in (select id from recent)
         and created_at < coalesce((select sent_at from messages where id = $3), 'infinity')`,
    values: [recipientId, caseKey(topic), beforeId],
  })
  return rows.map(({ userId }) => userId)
}

import { defaultChannelPermissions } from '@tms/contracts'
import type pg from 'pg'

/** The history of an organization after years of use, as seen by one member. */
export interface History {
  readonly realmId: number
  /** Has subscriptions with gaps in their read messages, conversations, flags and topics. */
  readonly memberId: number
  readonly messages: number
}

const CHANNELS = 250
const SUBSCRIBED = 200
const CONVERSATIONS = 50
/** Gaps in the member's read messages of each channel: 6,000 in total. */
const GAPS = 30
/** The senders: user IDs that exist only here. */
export const senders = { firstId: 20_000_000, count: 500 } as const
const { firstId: FIRST_SENDER_ID, count: SENDERS } = senders
const VOCABULARY = 20_000

/** Users and channels with messages in the history. */
export interface HistoryIds {
  readonly channelId: number
  readonly partnerId: number
}

/**
 * Fills the messaging database with a history. Word frequencies are those of a language: the word `w<n>x` is in one of about 10
 * * n messages.
 */
export async function insertHistory(
  messaging: pg.Client | pg.Pool,
  { realmId, memberId, messages }: History,
): Promise<HistoryIds> {
  const { rows: recipients } = await messaging.query<{ id: number }>(
    'insert into recipients (realm_id) select $1 from generate_series(1, $2) returning id',
    [realmId, CHANNELS + CONVERSATIONS],
  )
  const ids = recipients.map(({ id }) => id)
  const { rows: channels } = await messaging.query<{ id: number }>(
    `insert into channels (realm_id, recipient_id, name, name_key, description, rendered_description, invite_only,
            is_web_public, history_public_to_subscribers, permissions, is_default)
     select $1, id, 'history ' || id, 'history ' || id, '', '', id % 10 = 3, id % 10 = 7, true, $3, false
       from unnest($2::bigint[]) id
     returning id`,
    [realmId, ids.slice(0, CHANNELS), JSON.stringify(defaultChannelPermissions)],
  )
  const channelIds = channels.map(({ id }) => id)
  await withoutTextIndexes(messaging, () => insertMessages(messaging, realmId, ids, messages))
  await insertReading(messaging, memberId, channelIds.slice(0, SUBSCRIBED))
  await insertConversations(messaging, realmId, memberId, ids.slice(CHANNELS))
  await insertFlags(messaging, memberId)
  await messaging.query('vacuum analyze')
  const [channelId] = channelIds
  if (channelId === undefined) throw new Error('no channel was made')
  return { channelId, partnerId: FIRST_SENDER_ID }
}

/** Building the word indexes at once is many times faster than message by message. */
async function withoutTextIndexes(messaging: pg.Client | pg.Pool, work: () => Promise<void>): Promise<void> {
  const { rows } = await messaging.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition
       from pg_indexes
      where indexname = 'message_texts_found'`,
  )
  for (const { name } of rows) await messaging.query(`drop index ${name}`)
  await work()
  for (const { definition } of rows) await messaging.query(definition)
}

/** Half of the messages are in a sixth of the channels. The search index is written with them, not some minutes later. */
async function insertMessages(
  messaging: pg.Client | pg.Pool,
  realmId: number,
  recipientIds: readonly number[],
  count: number,
): Promise<void> {
  await messaging.query(
    `with sent as (
     insert into messages (id, realm_id, recipient_id, channel_id, previous_id, sender_id, topic, topic_key, content,
            rendered_content, has_link, has_image, has_attachment, sent_at, client, mentions_channel)
     select nextval('message_ids'), $1, place, channels.id, 0, ${FIRST_SENDER_ID} + n % ${SENDERS}, topic, topic, words,
            case when n % 50 = 0 then '<p><a href="https://example.com/' || n || '.png">' || words || '</a></p>'
                 else '<p>' || words || '</p>' end,
            n % 50 = 0, n % 50 = 0, false,
            now() - (($3::integer - n) || ' seconds')::interval, 'bench', n % 997 = 0
       from (select n, ($2::bigint[])[1 + floor(random() * random() * cardinality($2::bigint[]))::integer] as place,
                    'topic ' || n % 40 as topic,
                    (select string_agg('w' || floor(exp(random() * ln(${VOCABULARY})))::integer || 'x', ' ')
                       from generate_series(1, 8 + n % 12)) as words
               from generate_series(1, $3::integer) n) made
       left join channels
         on channels.recipient_id = place
     returning *)
     insert into message_texts (message_id, recipient_id, sender_id, text, marks)
     select id, recipient_id, sender_id, message_text(topic, content),
            message_marks(topic, has_link, has_image, has_attachment)
       from sent`,
    [realmId, recipientIds, count],
  )
  await messaging.query('update search_progress set up_to = (select max(id) from messages)')
  await messaging.query(
    `update recipients
        set (first_message_id, last_message_id) =
            (select min(id), coalesce(max(id), 0) from messages where recipient_id = recipients.id)
      where id = any($1)`,
    [recipientIds],
  )
}

async function insertReading(
  messaging: pg.Client | pg.Pool,
  memberId: number,
  channelIds: readonly number[],
): Promise<void> {
  await messaging.query(
    `with span as (
       select min(id) as first, (max(id) - min(id)) / ${GAPS} as step from messages
     ), read as (
       select range_agg(int8range(first + g * step, first + g * step + step * 19 / 20)) as ids
         from span, generate_series(0, ${GAPS - 1}) g
     )
     insert into subscriptions (channel_id, user_id, is_active, received, read, color, is_muted)
     select id, $1, true, '{(,)}', read.ids, '#76ce90', id % 10 = 0
       from unnest($2::bigint[]) id, read`,
    [memberId, channelIds],
  )
  await messaging.query(
    `insert into user_topics (user_id, channel_id, topic_key, topic_name, visibility_policy)
     select $1, id, 'topic ' || t, 'topic ' || t, 1 + (id + t) % 3
       from unnest($2::bigint[]) id, generate_series(1, 2) t`,
    [memberId, channelIds],
  )
}

async function insertConversations(
  messaging: pg.Client | pg.Pool,
  realmId: number,
  memberId: number,
  recipientIds: readonly number[],
): Promise<void> {
  await messaging.query(
    `with made as (
       insert into conversations (recipient_id, realm_id, user_ids)
       select id, $1, case when id % 3 = 0 then array[$2, ${FIRST_SENDER_ID}, ${FIRST_SENDER_ID} + id]
                           else array[$2, ${FIRST_SENDER_ID} + id] end
         from unnest($3::bigint[]) id
       returning recipient_id, user_ids
     )
     insert into conversation_members (user_id, recipient_id)
     select user_id, recipient_id
       from made, unnest(user_ids) user_id`,
    [realmId, memberId, recipientIds],
  )
}

async function insertFlags(messaging: pg.Client | pg.Pool, memberId: number): Promise<void> {
  await messaging.query(
    `insert into message_flags (user_id, message_id, is_starred, is_mentioned, has_alert_word)
     select $1, id, id % 3 = 0, id % 3 = 1, id % 3 = 2
       from messages
      where id % 1000 = 0`,
    [memberId],
  )
  // Messages of other users, among which the member's have to be found.
  await messaging.query(
    `insert into message_flags (user_id, message_id, is_starred, is_mentioned)
     select ${FIRST_SENDER_ID} + id % ${SENDERS}, id, id % 2 = 0, id % 2 = 1
       from messages
      where id % 5 = 0`,
  )
  await messaging.query(
    `insert into reactions (message_id, user_id, emoji_name, emoji_code, reaction_type)
     select id, ${FIRST_SENDER_ID}, 'octopus', '1f419', 'unicode_emoji'
       from messages
      where id % 40 = 0`,
  )
}

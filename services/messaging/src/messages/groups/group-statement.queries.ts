import { LINK_MARKS } from '../../kernel/messages/link-marks.ts'
import type { StoredMessage } from '../../kernel/messages/new-message.ts'
import { revisionInChannel } from '../../kernel/messages/posting-target.queries.ts'
import { withMessageIdSql } from '../message-sent-event.ts'
import { boundsWaits } from '../store-statement.queries.ts'

/** What the messages of a group have in common, and how the statement treats locks. */
export interface GroupVariant {
  readonly isDirect: boolean
  /** Each is stored as read for its sender, and for nobody else. */
  readonly isReadBySender: boolean
  /** One of them has an idempotency key. */
  readonly hasKeys: boolean
  /** One of them mentions a user by name, or has an alert word of one. */
  readonly hasFlags: boolean
  /** Messages whose recipient, or whose sender's row of what is read, is locked are not stored. */
  readonly skipsLocked: boolean
}

/** A statement and the columns of its messages, each a parameter with the values of all, in order. */
interface GroupStatement {
  readonly name: string
  readonly text: string
}

/** The parameters between the IDs of the recipients and the longest wait for a lock: each has the values of all messages. */
export const GROUP_COLUMNS = [
  ['recipientId', 'bigint'],
  ['version', 'bigint'],
  ['joins', 'bigint'],
  ['revision', 'text'],
  ['realmId', 'bigint'],
  ['channelId', 'bigint'],
  ['senderId', 'bigint'],
  ['topic', 'text'],
  ['topicKey', 'text'],
  ['content', 'text'],
  ['renderedContent', 'text'],
  ['sentAt', 'timestamptz'],
  ['client', 'text'],
  ['mentionsChannel', 'boolean'],
  ['mentionsTopic', 'boolean'],
  ['event', 'text'],
  ['requestId', 'text'],
  ['payloadWithoutId', 'text'],
  ['traceparent', 'text'],
  ['key', 'bytea'],
  ['request', 'bytea'],
  ['automaticVisibility', 'smallint'],
] as const satisfies readonly (readonly [keyof StoredMessage, string])[]

/** The parameters after that, of messages with flags: each has the values of all flags of users. */
const FLAG_COLUMNS = [
  ['ordinal', 'bigint'],
  ['user_id', 'bigint'],
  ['is_mentioned', 'boolean'],
  ['has_alert_word', 'boolean'],
] as const

/** The flags of one user on the message with that number, which begins with 1. */
export interface MessageFlag {
  readonly ordinal: number
  readonly userId: number
  readonly isMentioned: boolean
  readonly hasAlertWord: boolean
}

/** The values of the parameters of flags, in order. */
export const flagValues = (flags: readonly MessageFlag[]): unknown[] => [
  flags.map(({ ordinal }) => ordinal),
  flags.map(({ userId }) => userId),
  flags.map(({ isMentioned }) => isMentioned),
  flags.map(({ hasAlertWord }) => hasAlertWord),
]

const statements = new Map<string, GroupStatement>()

/** Returns the statement of a variant, which is built once. */
export function groupStatementFor(variant: GroupVariant): GroupStatement {
  const { isDirect, isReadBySender, hasKeys, hasFlags, skipsLocked } = variant
  const parts = [
    isDirect && 'direct',
    isReadBySender && 'sender',
    hasFlags && 'flags',
    hasKeys && 'key',
    skipsLocked && 'free',
  ]
  const name = ['store-messages', ...parts.filter((part) => part !== false)].join('-')
  let statement = statements.get(name)
  if (!statement) {
    statement = { name, text: renderStatement(variant) }
    statements.set(name, statement)
  }
  return statement
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const COLUMN_NAMES = GROUP_COLUMNS.map(([name]) => snakeCase(name)).join(', ')
const COLUMN_PARAMETERS = GROUP_COLUMNS.map(([, type], index) => `$${index + 2}::${type}[]`).join(', ')

/** The row of what the sender has read in the channel or conversation, as `reading`. */
const SENDERS_READING = {
  direct: `
      join conversation_members reading
        on reading.user_id = message.sender_id
       and reading.recipient_id = message.recipient_id`,
  channel: `
      join subscriptions reading
        on reading.channel_id = message.channel_id
       and reading.user_id = message.sender_id
       and reading.is_active`,
}

/** What a sender has read grows by all of the sender's messages at once. */
const markRead = (table: string, key: string) => `
  ), marked_read as (
    update ${table} reading
       set read = reading.read + own.slots
      from (select ${key}, sender_id, range_agg(int8range(previous_id + 1, id + 1)) as slots
              from next
             group by ${key}, sender_id) own
     where reading.${key} = own.${key}
       and reading.user_id = own.sender_id`

const FIRST_FLAG_PARAMETER = GROUP_COLUMNS.length + 3

const INSERT_FLAGS = `
  ), flagged as (
    insert into message_flags (user_id, message_id, is_mentioned, has_alert_word)
    select flag.user_id, next.id, flag.is_mentioned, flag.has_alert_word
      from unnest(${FLAG_COLUMNS.map(([, type], index) => `$${FIRST_FLAG_PARAMETER + index}::${type}[]`).join(', ')})
           as flag (${FLAG_COLUMNS.map(([column]) => column).join(', ')})
      join next on next.ordinal = flag.ordinal`

/** In the order of the index, so that two groups with the same keys can't deadlock. */
const INSERT_KEYS = `
  ), stored_keys as (
    insert into idempotency_keys (user_id, key, request, message_id, automatic_visibility)
    select sender_id, key, request, id, automatic_visibility
      from next
     where key is not null
     order by sender_id, key`

/** A key that is being stored isn't seen; inserting it waits for that, and fails. */
const IS_REPEATED = `
  exists (select from idempotency_keys where user_id = message.sender_id and idempotency_keys.key = message.key)`

/**
 * Whether the channel and topic are what the checks recalled, unless they have just been read. The channels are joined: looked up one
 * by one, a small table of them was scanned for each message, which took two fifths of the comparison.
 */
const IS_UNCHANGED = `
  (message.revision is null
   or coalesce(message.revision = ${revisionInChannel({ userId: 'message.sender_id', topicKey: 'message.topic_key' })}, false))`
const ITS_CHANNEL = `
      left join channels
        on channels.id = message.channel_id
       and not channels.is_archived`

/**
 * Locks all recipients before anything gets an ID. The rows of what senders have read are locked next, so that a message whose
 * sender reads elsewhere right now is passed over like one whose recipient is locked. `ordinal` is the order of arrival, in
 * which the messages get their IDs and are published.
 */
const renderStatement = ({ isDirect, isReadBySender, hasKeys, hasFlags, skipsLocked }: GroupVariant) => {
  const skip = skipsLocked ? ' skip locked' : ''
  const reading = SENDERS_READING[isDirect ? 'direct' : 'channel']
  const marking = isDirect
    ? markRead('conversation_members', 'recipient_id')
    : markRead('subscriptions', 'channel_id')
  return `
  with message as materialized (
    select message.*, ${isDirect ? 'true' : IS_UNCHANGED} as is_unchanged
      from unnest(${COLUMN_PARAMETERS})
      with ordinality as message (${COLUMN_NAMES}, ordinal)${isDirect ? '' : ITS_CHANNEL}
  ), recipient as materialized (
    select id, version, joins, last_message_id, first_message_id
      from recipients
     where id = any($1::bigint[])
       and ${boundsWaits(`$${GROUP_COLUMNS.length + 2}`)}
     order by id
       for no key update${skip}
  ), checked as materialized (
    select message.*, recipient.last_message_id,
           case when recipient.last_message_id = 0 then recipient.first_message_id end as reserved_id
      from message
      join recipient
        on recipient.id = message.recipient_id
       and recipient.version = coalesce(message.version, recipient.version)
       and recipient.joins = coalesce(message.joins, recipient.joins)
       and message.is_unchanged${hasKeys ? ` and not ${IS_REPEATED}` : ''}${
         isReadBySender
           ? `${reading}
     order by reading.${isDirect ? 'recipient_id' : 'channel_id'}, reading.user_id
       for no key update of reading${skip}`
           : ''
       }
  ), numbered as materialized (
    select ordered.*, case when position = 1 and reserved_id is not null then reserved_id
                           else nextval('message_ids') end as id
      from (select *, row_number() over (partition by recipient_id order by ordinal) as position
              from checked
             order by ordinal
            offset 0) ordered
  ), next as materialized (
    select *, coalesce(lag(id) over (partition by recipient_id order by ordinal), last_message_id) as previous_id
      from numbered
  ), stored as (
    insert into messages (id, realm_id, recipient_id, channel_id, previous_id, sender_id, topic, topic_key, content,
           rendered_content, has_link, has_image, has_attachment, sent_at, client, mentions_channel, mentions_topic)
    select id, realm_id, recipient_id, channel_id, previous_id, sender_id, topic, topic_key, content,
           rendered_content, ${LINK_MARKS.map((mark) => `${mark}(rendered_content)`).join(', ')},
           sent_at, client, mentions_channel, mentions_topic
      from next
     order by ordinal
  ), advanced_recipients as (
    update recipients
       set last_message_id = newest.id,
           first_message_id = coalesce(first_message_id, newest.first_id)
      from (select recipient_id, max(id) as id, min(id) as first_id from next group by recipient_id) newest
     where recipients.id = newest.recipient_id${isReadBySender ? marking : ''}${hasFlags ? INSERT_FLAGS : ''}${hasKeys ? INSERT_KEYS : ''}
  ), published as (
    insert into outbox (event, realm_id, request_id, payload, traceparent)
    select event, realm_id, request_id, ${withMessageIdSql('id', 'payload_without_id')}, traceparent
      from next
     order by ordinal
  )
  select ordinal, id, false as "isRepeated"
    from next
   union all
  select message.ordinal, null, ${hasKeys ? IS_REPEATED : 'false'}
    from message
    join recipient on recipient.id = message.recipient_id
   where recipient.version <> message.version or recipient.joins <> message.joins or not message.is_unchanged${hasKeys ? ` or ${IS_REPEATED}` : ''}`
}

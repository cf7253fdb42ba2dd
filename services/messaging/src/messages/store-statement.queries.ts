import { LINK_MARKS } from '../kernel/messages/link-marks.ts'
import type { StoredMessage } from '../kernel/messages/new-message.ts'
import { currentRevision } from '../kernel/messages/posting-target.queries.ts'
import { withMessageIdSql } from './message-sent-event.ts'

type Param = keyof StoredMessage | 'lockTimeout'

/**
 * Which parts the statement has besides the row and the event. Most messages need few, and each part would cost
 * every send.
 */
export interface StatementVariant {
  readonly isDirect: boolean
  /** Users with the message stored as read: usually the sender, otherwise some users or nobody. */
  readonly readers: 'none' | 'sender' | 'some'
  /** A user is mentioned by name or has an alert word in it. */
  readonly flags: boolean
  /** A second attempt must find it. */
  readonly hasIdempotencyKey: boolean
  /** It is stored only if the channel has not changed since the checks. */
  readonly checksVersion: boolean
  /** It is stored only if nobody has joined the channel since the checks. */
  readonly checksJoins: boolean
  /** It is stored only if the channel and topic are what the checks recalled. */
  readonly checksRevision: boolean
  /** Nothing is stored if another transaction holds the lock of the recipient. */
  readonly skipsLocked?: boolean
  /** It fails if it has to wait too long for a lock. */
  readonly boundsWait?: boolean
}

/** SQL: a condition that is true, and lets the rest of the transaction wait for each lock no longer than a parameter says. */
export const boundsWaits = (lockTimeout: string): string =>
  `(select set_config('lock_timeout', ${lockTimeout}, true)) is not null`

/** The value of that parameter. */
export const lockTimeout = (waitMs: number): string => `${Math.ceil(waitMs)}ms`

/** A statement and the names of its parameters, in order. */
interface Statement {
  readonly name: string
  readonly text: string
  readonly params: readonly Param[]
}

const statements = new Map<string, Statement>()

/** Returns the statement of a variant, which is built once. */
export function statementFor({
  isDirect,
  readers,
  flags,
  hasIdempotencyKey,
  checksVersion,
  checksJoins,
  checksRevision,
  skipsLocked = false,
  boundsWait = false,
}: StatementVariant): Statement {
  // PostgreSQL cuts the names of statements after 63 bytes; the longest of these has 62.
  const parts = [
    isDirect && 'dm',
    readers !== 'none' && readers,
    flags && 'flags',
    hasIdempotencyKey && 'key',
    checksVersion && 'version',
    checksJoins && 'joins',
    checksRevision && 'same',
    skipsLocked && 'free',
    boundsWait && 'wait',
  ]
  const name = ['store-message', ...parts.filter((part) => part !== false)].join('-')
  let statement = statements.get(name)
  if (!statement) {
    const params: Param[] = []
    const bind = (param: Param): string => {
      if (!params.includes(param)) params.push(param)
      return `$${params.indexOf(param) + 1}`
    }
    const more = [
      readers === 'none' ? '' : isDirect ? readInConversation(readers, bind) : readInChannel(readers, bind),
      flags ? insertFlags(bind) : '',
      hasIdempotencyKey ? insertIdempotencyKey(bind) : '',
    ]
    const text = renderStatement(
      { checksVersion, checksJoins, checksRevision, skipsLocked, boundsWait },
      more.join(''),
      bind,
    )
    statement = { name, text, params }
    statements.set(name, statement)
  }
  return statement
}

type BindPlaceholder = (param: Param) => string

const readInChannel = (readers: StatementVariant['readers'], bind: BindPlaceholder) => `
  ), marked_read as (
    update subscriptions s
       set read = s.read + int8multirange(int8range(next.previous_id + 1, next.id + 1))
      from next
     where s.channel_id = ${bind('channelId')}
       and ${isReader('s.user_id', readers, bind)}
       and s.is_active`

const readInConversation = (readers: StatementVariant['readers'], bind: BindPlaceholder) => `
  ), marked_read as (
    update conversation_members m
       set read = m.read + int8multirange(int8range(next.previous_id + 1, next.id + 1))
      from next
     where ${isReader('m.user_id', readers, bind)}
       and m.recipient_id = ${bind('recipientId')}`

const isReader = (userId: string, readers: StatementVariant['readers'], bind: BindPlaceholder) =>
  readers === 'sender' ? `${userId} = ${bind('senderId')}` : `${userId} = any(${bind('readerIds')}::bigint[])`

/** Each user once, without comparing each with all: they may be 100,000. */
const insertFlags = (bind: BindPlaceholder) => `
  ), flagged as (
    insert into message_flags (user_id, message_id, is_mentioned, has_alert_word)
    select notified.user_id, next.id, bool_or(notified.is_mentioned), bool_or(not notified.is_mentioned)
      from next,
           (select unnest(${bind('mentionedUserIds')}::bigint[]) as user_id, true as is_mentioned
             union all
            select unnest(${bind('alertedUserIds')}::bigint[]), false) as notified
     group by notified.user_id, next.id`

/** Makes the whole statement fail if the key exists. */
const insertIdempotencyKey = (bind: BindPlaceholder) => `
  ), stored_key as (
    insert into idempotency_keys (user_id, key, request, message_id, automatic_visibility)
    select ${bind('senderId')}, ${bind('key')}::bytea, ${bind('request')}::bytea, id, ${bind('automaticVisibility')}::smallint
      from next`

const revisionNow = (bind: BindPlaceholder) =>
  currentRevision({ channelId: bind('channelId'), userId: bind('senderId'), topicKey: bind('topicKey') })

const renderStatement = (
  {
    checksVersion,
    checksJoins,
    checksRevision,
    skipsLocked,
    boundsWait,
  }: Required<Omit<StatementVariant, 'isDirect' | 'readers' | 'flags' | 'hasIdempotencyKey'>>,
  more: string,
  bind: BindPlaceholder,
) => `
  with recipient as (
    select last_message_id as previous_id,
           case when last_message_id = 0 then first_message_id end as reserved_id
      from recipients
     where id = ${bind('recipientId')}${checksVersion ? ` and version = ${bind('version')}` : ''}${checksJoins ? ` and joins = ${bind('joins')}` : ''}${checksRevision ? ` and ${bind('revision')} = ${revisionNow(bind)}` : ''}${boundsWait ? ` and ${boundsWaits(bind('lockTimeout'))}` : ''}
       for no key update${skipsLocked ? ' skip locked' : ''}
  ), next as materialized (
    select coalesce(reserved_id, nextval('message_ids')) as id, previous_id
      from recipient
  ), stored as (
    insert into messages (id, realm_id, recipient_id, channel_id, previous_id, sender_id, topic, topic_key, content,
           rendered_content, has_link, has_image, has_attachment, sent_at, client, mentions_channel, mentions_topic)
    select id, ${bind('realmId')}, ${bind('recipientId')}, ${bind('channelId')}, previous_id, ${bind('senderId')}, ${bind('topic')},
           ${bind('topicKey')}, ${bind('content')}, ${bind('renderedContent')}, ${LINK_MARKS.map((mark) => `${mark}(${bind('renderedContent')})`).join(', ')},
           ${bind('sentAt')}, ${bind('client')}, ${bind('mentionsChannel')}, ${bind('mentionsTopic')}
      from next
  ), advanced_recipient as (
    update recipients
       set last_message_id = next.id,
           first_message_id = coalesce(first_message_id, next.id)
      from next
     where recipients.id = ${bind('recipientId')}${more}
  ), published as (
    insert into outbox (event, realm_id, request_id, payload, traceparent)
    select ${bind('event')}, ${bind('realmId')}, ${bind('requestId')},
           ${withMessageIdSql('next.id', bind('payloadWithoutId'))}, ${bind('traceparent')}
      from next
  )
  select id
    from next`

import { caseKey } from '../case-key.ts'
import { LINK_MARKS } from './link-marks.ts'
import type { SendKey } from './sent-keys.queries.ts'

/** A message that has passed every check, as it is to be stored. */
export interface NewMessage {
  readonly realmId: number
  readonly recipientId: number
  /** Null for a direct message. */
  readonly channelId: number | null
  readonly senderId: number
  readonly topic: string
  readonly content: string
  readonly renderedContent: string
  readonly sentAt: Date
  readonly client: string
  readonly mentionsChannel: boolean
  readonly mentionsTopic: boolean
  /** Recipients for whom it is born read: the sender, perhaps, and who muted the sender. */
  readonly readerIds: readonly number[]
  /** Users who receive it and are mentioned by name. */
  readonly mentionedUserIds: readonly number[]
  /** Users who receive it and watch for a word in it. */
  readonly alertedUserIds: readonly number[]
}

/** The outbox row that tells of the message. Its ID stands between the two parts of the payload. */
export interface MessageAnnouncement {
  readonly event: string
  readonly requestId: string | null
  readonly payloadBeforeId: string
  readonly payloadAfterId: string
}

/** By what another attempt of the send finds it, and what it answers besides the ID. */
export type Named = SendKey & { readonly automaticVisibility: number | null }

/** All of what is to be stored. */
export interface Given {
  readonly message: NewMessage
  readonly announcement: MessageAnnouncement
  readonly named: Named | null
  /** Of the place, when the message was checked; null where nothing can have changed since. */
  readonly revision: number | null
  /** The trace that the event is part of. */
  readonly traceparent: string | null
}

/** What statements speak of. */
const FIELDS = {
  realmId: ({ message }: Given) => message.realmId,
  recipientId: ({ message }: Given) => message.recipientId,
  channelId: ({ message }: Given) => message.channelId,
  senderId: ({ message }: Given) => message.senderId,
  topic: ({ message }: Given) => message.topic,
  topicKey: ({ message }: Given) => caseKey(message.topic),
  content: ({ message }: Given) => message.content,
  html: ({ message }: Given) => message.renderedContent,
  sentAt: ({ message }: Given) => message.sentAt,
  client: ({ message }: Given) => message.client,
  mentionsChannel: ({ message }: Given) => message.mentionsChannel,
  mentionsTopic: ({ message }: Given) => message.mentionsTopic,
  mentionedUserIds: ({ message }: Given) => message.mentionedUserIds,
  alertedUserIds: ({ message }: Given) => message.alertedUserIds,
  readerIds: ({ message }: Given) => message.readerIds,
  event: ({ announcement }: Given) => announcement.event,
  requestId: ({ announcement }: Given) => announcement.requestId,
  payloadBeforeId: ({ announcement }: Given) => announcement.payloadBeforeId,
  payloadAfterId: ({ announcement }: Given) => announcement.payloadAfterId,
  revision: ({ revision }: Given) => revision,
  traceparent: ({ traceparent }: Given) => traceparent,
  key: ({ named }: Given) => named?.key,
  request: ({ named }: Given) => named?.request,
  automaticVisibility: ({ named }: Given) => named?.automaticVisibility,
} as const

type Field = keyof typeof FIELDS

/** What a message needs beside its row and its event: most need little, and each part would cost every send. */
export interface Needs {
  readonly isDirect: boolean
  /** For whom it is born read: the sender, as most are, or some users, or nobody. */
  readonly readers: 'none' | 'sender' | 'some'
  /** Somebody is mentioned by name or alerted. */
  readonly flags: boolean
  /** An attempt to send it again must find it. */
  readonly isNamed: boolean
  /** It is stored only where its place is still what it was when the message was checked. */
  readonly isRevised: boolean
}

/** A statement, and what it takes, in order. */
interface Statement {
  readonly name: string
  readonly text: string
  readonly values: (given: Given) => unknown[]
}

const statements = new Map<string, Statement>()

/** The statement for what is needed, made once. */
export function statementFor({ isDirect, readers, flags, isNamed, isRevised }: Needs): Statement {
  const parts = [
    isDirect && 'direct',
    readers !== 'none' && `read-by-${readers}`,
    flags && 'flagged',
    isNamed && 'named',
    isRevised && 'revised',
  ]
  const name = ['store-message', ...parts.filter((part) => part !== false)].join('-')
  let statement = statements.get(name)
  if (!statement) {
    const fields: Field[] = []
    const p = (field: Field): string => {
      if (!fields.includes(field)) fields.push(field)
      return `$${fields.indexOf(field) + 1}`
    }
    const more = [
      readers === 'none' ? '' : isDirect ? readInConversation(readers, p) : readInChannel(readers, p),
      flags ? flagging(p) : '',
      isNamed ? remembering(p) : '',
    ]
    const text = storing(isRevised, more.join(''), p)
    const getters = fields.map((field) => FIELDS[field])
    statement = { name, text, values: (given) => getters.map((get) => get(given)) }
    statements.set(name, statement)
  }
  return statement
}

type Place = (field: Field) => string

const readInChannel = (readers: Needs['readers'], p: Place) => `
  ), seen as (
    update subscriptions s
       set read = s.read + int8multirange(int8range(next.previous_id + 1, next.id + 1))
      from next
     where s.channel_id = ${p('channelId')}
       and ${isReader('s.user_id', readers, p)}
       and s.is_active`

const readInConversation = (readers: Needs['readers'], p: Place) => `
  ), seen as (
    update conversation_members m
       set read = m.read + int8multirange(int8range(next.previous_id + 1, next.id + 1))
      from next
     where ${isReader('m.user_id', readers, p)}
       and m.recipient_id = ${p('recipientId')}`

const isReader = (userId: string, readers: Needs['readers'], p: Place) =>
  readers === 'sender' ? `${userId} = ${p('senderId')}` : `${userId} = any(${p('readerIds')}::bigint[])`

const flagging = (p: Place) => `
  ), flagged as (
    insert into message_flags (user_id, message_id, is_mentioned, has_alert_word)
    select reached.user_id, next.id, reached.user_id = any(${p('mentionedUserIds')}::bigint[]),
           reached.user_id = any(${p('alertedUserIds')}::bigint[])
      from next,
           (select unnest(${p('mentionedUserIds')}::bigint[])
             union
            select unnest(${p('alertedUserIds')}::bigint[])) as reached (user_id)`

/** Fails where the key is taken already, and with it the whole statement. */
const remembering = (p: Place) => `
  ), remembered as (
    insert into idempotency_keys (user_id, key, request, message_id, automatic_visibility)
    select ${p('senderId')}, ${p('key')}::bytea, ${p('request')}::bytea, id, ${p('automaticVisibility')}::smallint
      from next`

const storing = (isRevised: boolean, more: string, p: Place) => `
  with place as (
    select last_message_id as previous_id,
           case when last_message_id = 0 then first_message_id end as promised_id
      from recipients
     where id = ${p('recipientId')}${isRevised ? ` and revision = ${p('revision')}` : ''}
       for no key update
  ), next as materialized (
    select coalesce(promised_id, nextval('message_ids')) as id, previous_id
      from place
  ), stored as (
    insert into messages (id, realm_id, recipient_id, channel_id, previous_id, sender_id, topic, topic_key, content,
           rendered_content, has_link, has_image, has_attachment, sent_at, client, mentions_channel, mentions_topic)
    select id, ${p('realmId')}, ${p('recipientId')}, ${p('channelId')}, previous_id, ${p('senderId')}, ${p('topic')},
           ${p('topicKey')}, ${p('content')}, ${p('html')}, ${LINK_MARKS.map((fact) => `${fact}(${p('html')})`).join(', ')},
           ${p('sentAt')}, ${p('client')}, ${p('mentionsChannel')}, ${p('mentionsTopic')}
      from next
  ), advanced as (
    update recipients
       set last_message_id = next.id,
           first_message_id = coalesce(first_message_id, next.id)
      from next
     where recipients.id = ${p('recipientId')}${more}
  ), announced as (
    insert into outbox (event, realm_id, request_id, payload, traceparent)
    select ${p('event')}, ${p('realmId')}, ${p('requestId')},
           ${p('payloadBeforeId')}::text || next.id || ${p('payloadAfterId')}::text, ${p('traceparent')}
      from next
  )
  select id
    from next`

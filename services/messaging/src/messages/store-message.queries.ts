import type { Queryable } from '@tms/service-kit'
import { caseKey } from '../case-key.ts'
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

/** The outbox row that tells of the message. Its ID stands between every two parts of the payload. */
export interface MessageAnnouncement {
  readonly event: string
  readonly requestId: string | null
  readonly payload: readonly string[]
}

const READ_IN_CHANNEL = `
    update subscriptions s
       set read = s.read + int8multirange(int8range(next.previous_id + 1, next.id + 1))
      from next
     where s.channel_id = $3
       and s.user_id = any($13::bigint[])
       and s.is_active`

const READ_IN_CONVERSATION = `
    update conversation_members m
       set read = m.read + int8multirange(int8range(next.previous_id + 1, next.id + 1))
      from next
     where m.user_id = any($13::bigint[])
       and m.recipient_id = $2`

/** Fails where the key is taken already, and with it the whole statement. */
const REMEMBER = `
  ), remembered as (
    insert into sent_keys (user_id, key, request, message_id, automatic_visibility)
    select $4, $19::bytea, $20::bytea, id, $21::smallint
      from next`

const storing = (markRead: string, remember: string) => `
  with place as (
    select last_message_id as previous_id,
           case when last_message_id = 0 then first_message_id end as promised_id
      from recipients
     where id = $2
       for no key update
  ), next as materialized (
    select coalesce(promised_id, nextval('message_ids')) as id, previous_id
      from place
  ), stored as (
    insert into messages (id, realm_id, recipient_id, channel_id, previous_id, sender_id, topic, topic_key, content,
           rendered_content, sent_at, client, mentions_channel, mentions_topic)
    select id, $1, $2, $3, previous_id, $4, $5, $18, $6, $7, $8, $9, $10, $11
      from next
  ), advanced as (
    update recipients
       set last_message_id = next.id,
           first_message_id = coalesce(first_message_id, next.id)
      from next
     where recipients.id = $2
  ), seen as (${markRead}
  ), flagged as (
    insert into message_flags (user_id, message_id, is_mentioned, has_alert_word)
    select reached.user_id, next.id, reached.user_id = any($12::bigint[]), reached.user_id = any($17::bigint[])
      from next, (select unnest($12::bigint[]) union select unnest($17::bigint[])) as reached (user_id)${remember}
  ), announced as (
    insert into outbox (event, realm_id, request_id, payload)
    select $14, $1, $15, array_to_string($16::text[], next.id::text)
      from next
  )
  select id
    from next`

const STATEMENTS = {
  channel: { name: 'store-channel-message', text: storing(READ_IN_CHANNEL, '') },
  direct: { name: 'store-direct-message', text: storing(READ_IN_CONVERSATION, '') },
  namedChannel: { name: 'store-named-channel-message', text: storing(READ_IN_CHANNEL, REMEMBER) },
  namedDirect: { name: 'store-named-direct-message', text: storing(READ_IN_CONVERSATION, REMEMBER) },
} as const

/**
 * Stores a message and everything that goes with it, and returns its ID: one statement, so that alone it is a
 * transaction of one round trip and a busy channel's lock is held only while the server works. What it costs
 * does not depend on how many receive it.
 *
 * The recipient's row is locked first. Everything that needs a place in the order of messages comes from
 * `next`, hence after the lock: the ID, the predecessor, and the place in the outbox. PostgreSQL reads rows
 * that it waited for anew, so a snapshot older than the lock does no harm to the rows that are changed here. The first
 * message of a new channel has its ID already, which the events that tell of the channel carry.
 *
 * With `named`, it throws PostgreSQL's unique violation of `SENT_KEYS` when the key is taken.
 *
 * This is the one event that doesn't go through `publish`: its payload needs the ID that is made here.
 */
export async function storeMessage(
  db: Queryable,
  message: NewMessage,
  announcement: MessageAnnouncement,
  named: (SendKey & { readonly automaticVisibility: number | null }) | null = null,
): Promise<number> {
  const isDirect = message.channelId === null
  const plain = isDirect ? STATEMENTS.direct : STATEMENTS.channel
  const statement = named ? (isDirect ? STATEMENTS.namedDirect : STATEMENTS.namedChannel) : plain
  const { rows } = await db.query<{ id: number }>({
    ...statement,
    values: [
      message.realmId,
      message.recipientId,
      message.channelId,
      message.senderId,
      message.topic,
      message.content,
      message.renderedContent,
      message.sentAt,
      message.client,
      message.mentionsChannel,
      message.mentionsTopic,
      message.mentionedUserIds,
      message.readerIds,
      announcement.event,
      announcement.requestId,
      announcement.payload,
      message.alertedUserIds,
      caseKey(message.topic),
      ...(named ? [named.key, named.request, named.automaticVisibility] : []),
    ],
  })
  const [row] = rows
  if (!row) throw new Error(`recipient ${message.recipientId} is gone`)
  return row.id
}

/** Locks the place where messages stand in order, until the transaction ends. */
export async function lockRecipient(tx: Queryable, recipientId: number): Promise<void> {
  await tx.query({
    name: 'lock-recipient',
    text: `
      select
        from recipients
       where id = $1
         for no key update`,
    values: [recipientId],
  })
}

/** Locks a message, if it exists, until the transaction ends. */
export async function lockMessage(tx: Queryable, messageId: number): Promise<void> {
  await tx.query({
    name: 'lock-message',
    text: `
      select
        from messages
       where id = $1
         for no key update`,
    values: [messageId],
  })
}

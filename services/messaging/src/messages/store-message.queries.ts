import type { Queryable } from '@tms/service-kit'
import { caseKey } from '../case-key.ts'

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
  readonly isReadBySender: boolean
  /** Users who receive it and are mentioned by name. */
  readonly mentionedUserIds: readonly number[]
}

/** The outbox row that tells of the message. Its ID stands between `head` and `tail` of the payload. */
export interface MessageAnnouncement {
  readonly event: string
  readonly requestId: string | null
  readonly head: string
  readonly tail: string
}

const READ_IN_CHANNEL = `
    update subscriptions s
       set read = s.read + int8multirange(int8range(next.previous_id + 1, next.id + 1))
      from next
     where $13
       and s.channel_id = $3
       and s.user_id = $4
       and s.is_active`

const READ_IN_CONVERSATION = `
    update conversation_members m
       set read = m.read + int8multirange(int8range(next.previous_id + 1, next.id + 1))
      from next
     where $13
       and m.user_id = $4
       and m.recipient_id = $2`

const storing = (markRead: string) => `
  with place as (
    select last_message_id as previous_id
      from recipients
     where id = $2
       for no key update
  ), next as materialized (
    select nextval('message_ids') as id, previous_id
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
    insert into message_flags (user_id, message_id, is_mentioned)
    select mentioned.user_id, next.id, true
      from next, unnest($12::bigint[]) as mentioned (user_id)
  ), announced as (
    insert into outbox (event, realm_id, request_id, payload)
    select $14, $1, $15, $16::text || next.id || $17::text
      from next
  )
  select id
    from next`

const STATEMENTS = {
  channel: { name: 'store-channel-message', text: storing(READ_IN_CHANNEL) },
  direct: { name: 'store-direct-message', text: storing(READ_IN_CONVERSATION) },
} as const

/**
 * Stores a message and everything that goes with it, and returns its ID: one statement, so that alone it is a
 * transaction of one round trip and a busy channel's lock is held only while the server works. What it costs
 * does not depend on how many receive it.
 *
 * The recipient's row is locked first. Everything that needs a place in the order of messages comes from
 * `next`, hence after the lock: the ID, the predecessor, and the place in the outbox. PostgreSQL reads rows
 * that it waited for anew, so a snapshot older than the lock does no harm to the rows that are changed here.
 *
 * This is the one event that doesn't go through `publish`: its payload needs the ID that is made here.
 */
export async function storeMessage(
  db: Queryable,
  message: NewMessage,
  announcement: MessageAnnouncement,
): Promise<number> {
  const statement = message.channelId === null ? STATEMENTS.direct : STATEMENTS.channel
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
      message.isReadBySender,
      announcement.event,
      announcement.requestId,
      announcement.head,
      announcement.tail,
      caseKey(message.topic),
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

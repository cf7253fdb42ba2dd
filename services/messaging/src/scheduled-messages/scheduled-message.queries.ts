import type { ScheduledMessageRecord } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { caseKey } from '../case-key.ts'
import type { UnsentRoom } from '../messages/unsent-room.rules.ts'

/** What is sent, and where to. */
export interface Contents {
  /** Null for a direct message. */
  readonly channelId: number | null
  /** Empty for a direct message. */
  readonly topic: string
  /** Of a direct message, without the sender unless nobody else is meant; null for a channel message. */
  readonly userIds: readonly number[] | null
  readonly content: string
  readonly renderedContent: string
}

/** A message that waits for its time. */
export interface ScheduledMessage extends Contents {
  readonly id: number
  readonly realmId: number
  readonly senderId: number
  readonly readBySender: boolean
  /** Name of the client program that scheduled it. */
  readonly client: string
  /** UNIX seconds. */
  readonly deliverAt: number
  readonly failed: boolean
  /** Grows with every change. */
  readonly revision: number
}

export type NewScheduledMessage = Omit<ScheduledMessage, 'id' | 'failed' | 'revision'>

export const SCHEDULED_COLUMNS = `
  id, realm_id as "realmId", sender_id as "senderId", channel_id as "channelId", topic,
  to_json(user_ids) as "userIds", content, rendered_content as "renderedContent",
  read_by_sender as "readBySender", client, deliver_at as "deliverAt", failed, revision`

/** As its sender sees it. */
export function recordOf(message: ScheduledMessage): ScheduledMessageRecord {
  const { id, channelId, topic, userIds, content, renderedContent, deliverAt, failed } = message
  return {
    scheduled_message_id: id,
    ...(channelId === null
      ? { type: 'private', to: [...(userIds ?? [])] }
      : { type: 'stream', to: channelId, topic }),
    content,
    rendered_content: renderedContent,
    scheduled_delivery_timestamp: deliverAt,
    failed,
  }
}

/** Has nobody else add to what a user has scheduled, or change it, until the transaction ends. */
export async function lockScheduling(tx: Tx, senderId: number): Promise<void> {
  await tx.query({
    name: 'lock-scheduling',
    text: 'select from known_users where user_id = $1 for no key update',
    values: [senderId],
  })
}

/** What a user has of scheduled messages; needs `lockScheduling`. */
export async function measureScheduled(tx: Tx, senderId: number): Promise<UnsentRoom> {
  const { rows } = await tx.query<UnsentRoom>({
    name: 'measure-scheduled',
    text: `
      select count(*) as count,
             coalesce(sum(octet_length(content) + octet_length(rendered_content)), 0)::bigint as bytes
        from scheduled_messages
       where sender_id = $1`,
    values: [senderId],
  })
  return rows[0] ?? { count: 0, bytes: 0 }
}

/** Stores a message until its time comes. */
export async function insertScheduledMessage(
  tx: Tx,
  message: NewScheduledMessage,
): Promise<ScheduledMessage> {
  const { rows } = await tx.query<ScheduledMessage>(
    `insert into scheduled_messages (realm_id, sender_id, channel_id, topic, user_ids, content, rendered_content,
            read_by_sender, client, deliver_at, attempt_at, topic_key)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, to_timestamp($10::bigint), $11)
     returning ${SCHEDULED_COLUMNS}`,
    [
      message.realmId,
      message.senderId,
      message.channelId,
      message.topic,
      message.userIds,
      message.content,
      message.renderedContent,
      message.readBySender,
      message.client,
      message.deliverAt,
      caseKey(message.topic),
    ],
  )
  return rows[0] as ScheduledMessage
}

/** What a user has scheduled and was not delivered, by time. */
export async function listScheduledMessages(db: Queryable, senderId: number): Promise<ScheduledMessage[]> {
  const { rows } = await db.query<ScheduledMessage>({
    name: 'list-scheduled-messages',
    text: `
      select ${SCHEDULED_COLUMNS}
        from scheduled_messages
       where sender_id = $1
       order by deliver_at, id`,
    values: [senderId],
  })
  return rows
}

/** One that a user has scheduled; null if it is not theirs, was delivered or deleted. */
export async function findScheduledMessage(
  db: Queryable,
  senderId: number,
  id: number,
): Promise<ScheduledMessage | null> {
  const { rows } = await db.query<ScheduledMessage>({
    name: 'find-scheduled-message',
    text: `
      select ${SCHEDULED_COLUMNS}
        from scheduled_messages
       where id = $2
         and sender_id = $1`,
    values: [senderId, id],
  })
  return rows[0] ?? null
}

/** Gives it new contents and a time, as it stood at `revision`; null if it no longer stands so. */
export async function changeScheduledMessage(
  tx: Tx,
  { id, revision }: Pick<ScheduledMessage, 'id' | 'revision'>,
  changed: Contents & Pick<ScheduledMessage, 'deliverAt'>,
): Promise<ScheduledMessage | null> {
  const { rows } = await tx.query<ScheduledMessage>(
    `update scheduled_messages
        set channel_id = $3,
            topic = $4,
            user_ids = $5,
            content = $6,
            rendered_content = $7,
            deliver_at = $8,
            attempt_at = to_timestamp($8::bigint),
            failed = false,
            topic_key = $9,
            may_be_passed = false,
            revision = revision + 1
      where id = $1
        and revision = $2
     returning ${SCHEDULED_COLUMNS}`,
    [
      id,
      revision,
      changed.channelId,
      changed.topic,
      changed.userIds,
      changed.content,
      changed.renderedContent,
      changed.deliverAt,
      caseKey(changed.topic),
    ],
  )
  return rows[0] ?? null
}

/** Deletes what a user has scheduled; whether it was there. */
export async function deleteScheduledMessage(tx: Tx, senderId: number, id: number): Promise<boolean> {
  const { rows } = await tx.query(
    `delete from scheduled_messages
      where id = $2
        and sender_id = $1
     returning id`,
    [senderId, id],
  )
  return rows.length > 0
}

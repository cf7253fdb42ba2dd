import type { ScheduledMessageRecord } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { locks } from '../kernel/locks/locks.ts'
import type { UnsentUsage } from '../kernel/messages/unsent-quota.rules.ts'
import { caseKey } from '../kernel/text/case-key.ts'

/** Content and target of a scheduled message. */
export interface Contents {
  /** Null for a direct message. */
  readonly channelId: number | null
  /** Empty for a direct message. */
  readonly topic: string
  /**
   * The recipients of a direct message, without the sender unless it is a note to self; null for a channel
   * message.
   */
  readonly userIds: readonly number[] | null
  readonly content: string
  readonly renderedContent: string
}

/** A message to send at a later time. */
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
  /** Incremented by every change. */
  readonly version: number
}

export type NewScheduledMessage = Omit<ScheduledMessage, 'id' | 'failed' | 'version'>

export const SCHEDULED_COLUMNS = `
  id, realm_id as "realmId", sender_id as "senderId", channel_id as "channelId", topic,
  to_json(user_ids) as "userIds", content, rendered_content as "renderedContent",
  read_by_sender as "readBySender", client, deliver_at as "deliverAt", failed, version`

/** Builds the record of a scheduled message. */
export function toScheduledRecord(message: ScheduledMessage): ScheduledMessageRecord {
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

/** Prevents others from adding or changing scheduled messages of a user until the transaction ends. */
export async function lockScheduling(tx: Tx, senderId: number): Promise<void> {
  tx.lockRecord.add(locks.knownUsersAndRealms, [senderId])
  await tx.query({
    name: 'lock-scheduling',
    text: 'select from known_users where user_id = $1 for no key update',
    values: [senderId],
  })
}

/** Counts and measures the scheduled messages of a user; needs `lockScheduling`. */
export async function measureScheduled(tx: Tx, senderId: number): Promise<UnsentUsage> {
  const { rows } = await tx.query<UnsentUsage>({
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

/** Stores a scheduled message. */
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

/** Lists the scheduled messages of a user that were not sent, by time. */
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

/** Finds a scheduled message of a user; null if it belongs to another user, was sent or deleted. */
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

/** Updates content and time of a scheduled message at its `version`; null if it has changed since. */
export async function changeScheduledMessage(
  tx: Tx,
  { id, version }: Pick<ScheduledMessage, 'id' | 'version'>,
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
            version = version + 1
      where id = $1
        and version = $2
     returning ${SCHEDULED_COLUMNS}`,
    [
      id,
      version,
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

/** Deletes a scheduled message of a user. Returns whether it existed. */
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

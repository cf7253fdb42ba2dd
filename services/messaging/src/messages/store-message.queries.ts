import { CREATING, currentTraceparent, inSpan, isTracing, type OutboxWriter } from '@tms/service-kit'
import {
  type MessageSentRow,
  type NewMessage,
  type StoreMessageParams,
  statementFor,
} from './store-statement.queries.ts'

type StoreOptions = Pick<StoreMessageParams, 'idempotencyRecord' | 'version'>

const NO_OPTIONS: StoreOptions = { idempotencyRecord: null, version: null }

/** Nothing was stored, because the channel has changed since the message was checked: check it again. */
export class VersionConflictError extends Error {}

/**
 * Stores a message and everything that goes with it, and returns its ID. It is one statement, so alone it is a
 * transaction of one round trip, and the lock of a busy channel is held only while the server works. The cost is
 * independent of the number of recipients.
 *
 * The row of the recipient is locked first. Everything that needs a position in the order of messages comes from
 * `next`, hence after the lock: the ID, the predecessor and the position in the outbox. PostgreSQL re-reads rows
 * that it waited for, so a snapshot that is older than the lock affects neither that position nor the row of the
 * sender, without which the message would be checked again. Rows of other users that are added meanwhile are not
 * seen. The first message of a new channel has a reserved ID, which the events of the channel contain.
 *
 * With `idempotencyRecord`, throws the unique violation of `IDEMPOTENCY_KEYS_PKEY` if the key exists. With
 * `version`, throws `VersionConflictError` if the channel has changed: PostgreSQL re-checks the version in the row
 * that it waited for.
 *
 * This is the only event that doesn't go through `publish`: its payload contains the ID that is generated here.
 */
export function storeMessage(
  db: OutboxWriter,
  message: NewMessage,
  announcement: MessageSentRow,
  terms: StoreOptions = NO_OPTIONS,
): Promise<number> {
  if (!isTracing()) return store(db, message, announcement, terms)
  return inSpan(`create ${announcement.event}`, CREATING, () => store(db, message, announcement, terms))
}

async function store(
  db: OutboxWriter,
  message: NewMessage,
  announcement: MessageSentRow,
  { idempotencyRecord, version }: StoreOptions,
): Promise<number> {
  const { readerIds, senderId } = message
  const isReadBySender = readerIds.length === 1 && readerIds[0] === senderId
  const { name, text, values } = statementFor({
    isDirect: message.channelId === null,
    readers: isReadBySender ? 'sender' : readerIds.length === 0 ? 'none' : 'some',
    flags: message.mentionedUserIds.length + message.alertedUserIds.length > 0,
    hasIdempotencyKey: idempotencyRecord !== null,
    checksVersion: version !== null,
  })
  const params = { message, announcement, idempotencyRecord, version, traceparent: currentTraceparent() }
  const { rows } = await db.query<{ id: number }>({ name, text, values: values(params) })
  const [row] = rows
  if (!row && version !== null) throw new VersionConflictError()
  if (!row) throw new Error(`recipient ${message.recipientId} does not exist`)
  db.markPublished?.()
  return row.id
}

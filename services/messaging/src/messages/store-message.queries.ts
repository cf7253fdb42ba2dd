import { domainEvents } from '@tms/contracts'
import { CREATING, currentTraceparent, inSpan, isTracing, type OutboxWriter, type Tx } from '@tms/service-kit'
import type { MessageStore, NewMessage, StoredMessage } from '../kernel/messages/new-message.ts'
import { caseKey } from '../kernel/text/case-key.ts'
import type { IdempotencyKey } from './idempotency-key.queries.ts'
import { type MessageSentWithoutId, renderWithoutId } from './message-sent-event.ts'
import { boundsWaits, lockTimeout, statementFor } from './store-statement.queries.ts'

/** The row of a message and the payload of its event, both without the ID that storing it gives it. */
export interface ComposedMessage {
  readonly message: NewMessage
  readonly event: MessageSentWithoutId
}

interface StoreOptions {
  readonly requestId: string | null
  /** Identifies a second attempt; null or missing if that makes a second message. */
  readonly idempotencyKey?: IdempotencyKey | null
  /** What a second attempt returns besides the ID. */
  readonly automaticVisibility?: number | null
  /** Version of the channel at the time of the checks; null or missing if it was compared under the lock. */
  readonly version?: number | null
  /** How often users had joined it by then; null or missing if it doesn't matter which users are subscribed. */
  readonly joins?: number | null
  /** The revision of a topic that was recalled; null or missing if it has been read for this message. */
  readonly revision?: string | null
  /** When it is too late to begin, by the clock of `performance.now()`; for a `MessageStore`. */
  readonly until?: number
}

/** How a statement treats locks of other transactions. */
export interface Locking {
  /** Nothing is stored if another transaction holds the lock of the recipient. */
  readonly skipsLocked?: boolean
  /** It fails if it has to wait longer for a lock; missing within a transaction, which decides that. */
  readonly waitMs?: number
}

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
 * With `idempotencyKey`, throws the unique violation of `IDEMPOTENCY_KEYS_PKEY` if the key exists. With `version`,
 * throws `VersionConflictError` if the channel has changed: PostgreSQL re-checks the version in the row that it
 * waited for. So it does with `joins`, for messages that mean more to some subscribers, who were read before. A `MessageStore` also throws `RepeatedKeyError` and, after `until`, SERVICE_UNAVAILABLE.
 *
 * This is the only event that doesn't go through `publish`: its payload contains the ID that is generated here.
 */
export function storeMessage(
  db: OutboxWriter | MessageStore,
  composed: ComposedMessage,
  options: StoreOptions,
): Promise<number> {
  if (!isTracing()) return store(db, composed, options)
  const { name } = domainEvents.messaging.messageSent
  return inSpan(`create ${name}`, CREATING, () => store(db, composed, options))
}

async function store(
  db: OutboxWriter | MessageStore,
  { message, event }: ComposedMessage,
  {
    requestId,
    idempotencyKey = null,
    automaticVisibility = null,
    version = null,
    joins = null,
    revision = null,
    until = Infinity,
  }: StoreOptions,
): Promise<number> {
  const stored: StoredMessage = {
    ...message,
    topicKey: caseKey(message.topic),
    event: domainEvents.messaging.messageSent.name,
    requestId,
    payloadWithoutId: renderWithoutId(event),
    traceparent: currentTraceparent(),
    version,
    joins,
    revision,
    key: idempotencyKey?.key ?? null,
    request: idempotencyKey?.request ?? null,
    automaticVisibility,
  }
  const id = 'store' in db ? await db.store(stored, until) : await storeRow(db, stored)
  if (id === null) throw new VersionConflictError()
  return id
}

/**
 * Stores one message. Returns null if nothing was stored: the channel has changed, or with `skipsLocked` possibly another
 * transaction holds the lock.
 */
export async function storeRow(
  db: OutboxWriter,
  stored: StoredMessage,
  { skipsLocked = false, waitMs }: Locking = {},
): Promise<number | null> {
  const { readerIds, senderId, version, joins, revision } = stored
  const isReadBySender = readerIds.length === 1 && readerIds[0] === senderId
  const statement = statementFor({
    isDirect: stored.channelId === null,
    readers: isReadBySender ? 'sender' : readerIds.length === 0 ? 'none' : 'some',
    flags: stored.mentionedUserIds.length + stored.alertedUserIds.length > 0,
    hasIdempotencyKey: stored.key !== null,
    checksVersion: version !== null,
    checksJoins: joins !== null,
    checksRevision: revision !== null,
    skipsLocked,
    boundsWait: waitMs !== undefined,
  })
  const { name, text } = statement
  const values = { ...stored, lockTimeout: lockTimeout(waitMs ?? 0) }
  const { rows } = await db.query<{ id: number }>({
    name,
    text,
    values: statement.params.map((param) => values[param]),
  })
  const [row] = rows
  if (row) db.markPublished?.()
  else if (version === null && !skipsLocked) throw new Error(`recipient ${stored.recipientId} does not exist`)
  return row?.id ?? null
}

/** Lets a transaction fail if it waits longer for a lock. */
export async function boundLockWaits(tx: Tx, waitMs: number): Promise<void> {
  await tx.query({
    name: 'bound-lock-waits',
    text: `select ${boundsWaits('$1')}`,
    values: [lockTimeout(waitMs)],
  })
}

import { domainEvents, type LogEntry, type PayloadOf } from '@tms/contracts'
import type { LogRecord } from '../log/entry.ts'
import { audienceOf, presentationOf } from '../rendering/presentations.ts'
import { eventIdOf } from './event-id.ts'
import { QueueIndex } from './queue-index.ts'
import { controlEvents, createQueueState, type QueueState } from './queue-state.ts'
import { isVisible } from './visibility.ts'

/** What applying log entries changed, in order: what the commit writes. */
export interface Changes {
  /** Event IDs to append, by queue. */
  readonly deliveries: Map<string, number[]>
  /** How many IDs that is. */
  deliveryCount: number
  /** Offsets and texts of entries that at least one queue now refers to. */
  readonly payloads: Map<number, string>
  readonly opened: QueueState[]
  readonly closed: string[]
  /** What queues' owners subscribed to and left, in order. */
  readonly subscriptions: { queueId: string; channelId: number; isSubscribed: boolean }[]
}

export function noChanges(): Changes {
  return {
    deliveries: new Map(),
    deliveryCount: 0,
    payloads: new Map(),
    opened: [],
    closed: [],
    subscriptions: [],
  }
}

export function isEmpty(changes: Changes): boolean {
  return (
    changes.deliveries.size === 0 &&
    changes.opened.length === 0 &&
    changes.closed.length === 0 &&
    changes.subscriptions.length === 0
  )
}

/** What applying needs to know besides the partition's queues. */
export interface ApplyContext {
  readonly queues: QueueIndex
  readonly changes: Changes
  /** Whether the user's queues live in this partition. */
  readonly isOurs: (userId: number) => boolean
}

/**
 * Applies one log entry to the partition: who gets it, and what it does to what is known of the queues.
 * `earlier` are the records after a new queue's `since`, up to this one; only needed for queueOpened.
 */
export function applyRecord(
  record: LogRecord,
  context: ApplyContext,
  earlier: readonly LogRecord[] = [],
): void {
  const { entry } = record
  if (!entry) return
  switch (entry.event) {
    case controlEvents.queueOpened:
      openQueue(entry.payload as PayloadOf<typeof domainEvents.events.queueOpened>, context, earlier)
      return
    case controlEvents.queueClosed: {
      const { queue_id, user_id } = entry.payload as PayloadOf<typeof domainEvents.events.queueClosed>
      if (context.isOurs(user_id)) closeQueue(queue_id, context)
      return
    }
    default:
      applyDomainEvent(record, entry, context)
  }
}

/**
 * The log position that a queueOpened entry wants replayed from, or null where the entry opens nothing here.
 */
export function replayFrom(record: LogRecord, context: ApplyContext): number | null {
  if (record.entry?.event !== controlEvents.queueOpened) return null
  const { queue, since } = record.entry.payload as PayloadOf<typeof domainEvents.events.queueOpened>
  return context.isOurs(queue.user_id) && !context.queues.get(queue.queue_id) ? since : null
}

/** Removes a queue, whether the client deleted it or it ran out. */
export function closeQueue(queueId: string, { queues, changes }: ApplyContext): void {
  const queue = queues.get(queueId)
  if (!queue) return
  queues.remove(queue)
  changes.deliveries.delete(queueId)
  changes.closed.push(queueId)
}

/**
 * Step 3 of the hand-off: the queue starts from the subscriptions of the snapshot and lives through the
 * entries since then that the snapshot doesn't show, alone, as if it had been there.
 */
function openQueue(
  { queue: queueRecord }: PayloadOf<typeof domainEvents.events.queueOpened>,
  context: ApplyContext,
  earlier: readonly LogRecord[],
): void {
  if (!context.isOurs(queueRecord.user_id) || context.queues.get(queueRecord.queue_id)) return
  const queue = createQueueState(queueRecord)
  const alone = new QueueIndex()
  alone.add(queue)
  for (const record of earlier) {
    const { entry } = record
    if (entry && entry.source !== 'events') applyDomainEvent(record, entry, { ...context, queues: alone })
  }
  context.queues.add(queue)
  context.changes.opened.push(queue)
}

function applyDomainEvent(record: LogRecord, entry: LogEntry, context: ApplyContext): void {
  applySubscriptions(entry, context)
  for (const queue of context.queues.select(entry.realm_id, audienceOf(entry))) {
    deliver(record, entry, queue, context)
  }
  endSubscriptions(entry, context)
}

function deliver(record: LogRecord, entry: LogEntry, queue: QueueState, { changes }: ApplyContext): void {
  if (isInState(entry, queue)) return
  for (const { index, type } of presentationOf(entry).list(entry.payload, queue, record.cache)) {
    if (queue.eventTypes !== null && !queue.eventTypes.has(type)) continue
    const { queue_id } = queue.record
    const ids = changes.deliveries.get(queue_id)
    const eventId = eventIdOf(record.offset, index)
    if (ids) ids.push(eventId)
    else changes.deliveries.set(queue_id, [eventId])
    changes.deliveryCount++
    changes.payloads.set(record.offset, record.body)
  }
}

/** Step 4 of the hand-off: what the snapshot shows is in the state that the client got. What belongs to no transaction never is. */
function isInState(entry: LogEntry, queue: QueueState): boolean {
  const snapshot = queue.snapshots.get(entry.source)
  if (entry.seq === 0) return false
  return snapshot !== undefined && isVisible(snapshot, entry.xid)
}

const { channelArchived, subscribersAdded, subscribersRemoved } = domainEvents.messaging

/** Keeps the queues' subscriptions current before the entry itself is delivered. */
function applySubscriptions(entry: LogEntry, context: ApplyContext): void {
  for (const userId of subscribedUserIds(entry)) {
    for (const queue of context.queues.ofUser(userId)) updateSubscription(entry, queue, context)
  }
}

function subscribedUserIds(entry: LogEntry): readonly number[] {
  if (entry.event === subscribersAdded.name) {
    return (entry.payload as PayloadOf<typeof subscribersAdded>).added.map(({ user_id }) => user_id)
  }
  if (entry.event === subscribersRemoved.name)
    return (entry.payload as PayloadOf<typeof subscribersRemoved>).user_ids
  return []
}

function updateSubscription(entry: LogEntry, queue: QueueState, context: ApplyContext): void {
  if (!subscribedUserIds(entry).includes(queue.record.user_id) || isInState(entry, queue)) return
  const { channel } = entry.payload as { channel: { stream_id: number } }
  setSubscribed(queue, channel.stream_id, entry.event === subscribersAdded.name, context)
}

/** Ends all subscriptions of a channel that was archived: after delivery, since subscribers are told as such. */
function endSubscriptions(entry: LogEntry, context: ApplyContext): void {
  if (entry.event !== channelArchived.name) return
  const { stream_id } = (entry.payload as PayloadOf<typeof channelArchived>).channel
  for (const queue of [...context.queues.ofChannel(stream_id)]) {
    if (!isInState(entry, queue)) setSubscribed(queue, stream_id, false, context)
  }
}

function setSubscribed(
  queue: QueueState,
  channelId: number,
  isSubscribed: boolean,
  { queues, changes }: ApplyContext,
): void {
  if (isSubscribed) queues.subscribe(queue, channelId)
  else queues.unsubscribe(queue, channelId)
  changes.subscriptions.push({ queueId: queue.record.queue_id, channelId, isSubscribed })
}

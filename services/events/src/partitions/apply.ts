import { domainEvents, type LogEntry, type PayloadOf } from '@tms/contracts'
import type { LogRecord, StreamPositions } from '../log/entry.ts'
import { audienceOf, presentationOf, subjectOf } from '../rendering/presentations.ts'
import { applyGuestVisibility } from './apply-guest-visibility.ts'
import { applyMembership } from './apply-membership.ts'
import { type ApplyContext, closeQueue } from './changes.ts'
import { eventIdOf } from './event-id.ts'
import { QueueIndex } from './queue-index.ts'
import { controlEvents, createQueueState, isInState, type QueueState, seesPerson } from './queue-state.ts'

const STEERING: ReadonlySet<string> = new Set(Object.values(controlEvents))

/**
 * Applies one log entry to the partition: who gets it, and what it does to what is known of the queues.
 * `earlier` are the records that it wants applied again (`replayOf`).
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
      openQueue(record, context, earlier)
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
 * Entries that are read again for a new queue. More come only where reading the state took very long amid very many, and
 * all queues of the partition would wait for them: then nothing is opened, and its client is told to try again.
 */
const MAX_REPLAY = 50_000

type Opening = PayloadOf<typeof domainEvents.events.queueOpened>

/** What an entry opens here, or null. It depends on the log and the partition alone, so every owner decides alike. */
function openingOf({ entry, offset, positions }: LogRecord, context: ApplyContext): Opening | null {
  if (entry?.event !== controlEvents.queueOpened) return null
  const opening = entry.payload as Opening
  const { queue, since } = opening
  if (!context.isOurs(queue.user_id) || context.queues.get(queue.queue_id)) return null
  return offset - since > MAX_REPLAY || isOfLostLog(opening, offset, positions) ? null : opening
}

/**
 * Whether a state was read beside a log that was lost since: what the new one has told up to here is in no stretch that could
 * be read again.
 */
const isOfLostLog = ({ since, positions = {} }: Opening, offset: number, now: StreamPositions): boolean =>
  since >= offset || Object.entries(positions).some(([stream, seq]) => seq > (now[stream] ?? seq))

/** What an entry wants to be applied again. */
export interface Replay {
  /** All after this offset of the log, up to the entry itself. */
  readonly offset: number
  /** Where the streams stood there. */
  readonly positions: StreamPositions
  /** Whether a record of these has a part in it: most are in the new queue's state. */
  readonly concerns: (record: LogRecord) => boolean
}

/** Null where an entry opens nothing here. */
export function replayOf(record: LogRecord, context: ApplyContext): Replay | null {
  const opening = openingOf(record, context)
  if (!opening) return null
  const queue = createQueueState(opening.queue)
  return {
    offset: opening.since,
    positions: opening.positions ?? {},
    concerns: ({ entry }) => entry !== null && !STEERING.has(entry.event) && !isInState(entry, queue),
  }
}

/**
 * Step 3 of the hand-off: the queue starts from the subscriptions of the snapshot and lives through the
 * entries since then that the snapshot doesn't show, alone, as if it had been there.
 */
function openQueue(record: LogRecord, context: ApplyContext, earlier: readonly LogRecord[]): void {
  const opening = openingOf(record, context)
  if (!opening) return
  const { queue: queueRecord } = opening
  const queue = createQueueState(queueRecord)
  const alone = new QueueIndex()
  alone.add(queue)
  for (const one of earlier) {
    if (one.entry) applyDomainEvent(one, one.entry, { ...context, queues: alone })
  }
  context.changes.opened.push(queue)
  // Its owner may have been deactivated in between: then it is opened, for who waits for that, and closed.
  if (alone.get(queueRecord.queue_id)) context.queues.add(queue)
}

function applyDomainEvent(record: LogRecord, entry: LogEntry, context: ApplyContext): void {
  applyMembership(entry, context)
  applyGuestVisibility(entry, context)
  applySubscriptions(entry, context)
  for (const queue of context.queues.select(entry, audienceOf(entry))) {
    deliver(record, entry, queue, context)
  }
  endSubscriptions(entry, context)
  endQueues(entry, context)
}

function deliver(record: LogRecord, entry: LogEntry, queue: QueueState, { changes }: ApplyContext): void {
  if (isInState(entry, queue) || !seesSubject(entry, queue)) return
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

/** Whom an event is about is asked for those queues only that don't see everyone. */
function seesSubject(entry: LogEntry, queue: QueueState): boolean {
  if (queue.visibleUserIds === null) return true
  const subject = subjectOf(entry)
  return subject === null || seesPerson(queue, subject)
}

const { channelArchived, subscribersAdded, subscribersRemoved } = domainEvents.messaging
const { realmDeactivated } = domainEvents.realm

/** Keeps the queues' subscriptions current before the entry itself is delivered. */
function applySubscriptions(entry: LogEntry, context: ApplyContext): void {
  const userIds = subscribedUserIds(entry)
  if (userIds.length === 0) return
  const { channel } = entry.payload as { channel: { stream_id: number } }
  const isSubscribed = entry.event === subscribersAdded.name
  for (const userId of userIds) {
    for (const queue of context.queues.ofUser(userId)) {
      if (!isInState(entry, queue)) setSubscribed(queue, channel.stream_id, isSubscribed, context)
    }
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

/** Ends all subscriptions of a channel that was archived: after delivery, since subscribers are told as such. */
function endSubscriptions(entry: LogEntry, context: ApplyContext): void {
  if (entry.event !== channelArchived.name) return
  const { stream_id } = (entry.payload as PayloadOf<typeof channelArchived>).channel
  for (const queue of [...context.queues.ofChannel(stream_id)]) {
    if (!isInState(entry, queue)) setSubscribed(queue, stream_id, false, context)
  }
}

/** Ends the queues of an organization that was deactivated: after delivery, since who waits is told. */
function endQueues(entry: LogEntry, context: ApplyContext): void {
  if (entry.event !== realmDeactivated.name) return
  for (const queue of [...context.queues.select(entry, [{ kind: 'realm' }])]) {
    if (!isInState(entry, queue)) closeQueue(queue.record.queue_id, context, { tellsLast: true })
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

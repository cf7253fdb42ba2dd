import { domainEvents, type LogEntry, type PayloadOf } from '@tms/contracts'
import { eventIdOf } from '../kernel/event-id.ts'
import {
  canSeeUser,
  controlEvents,
  createQueueState,
  isInState,
  parseSnapshots,
  type QueueState,
} from '../kernel/queue-state.ts'
import type { LogRecord, StreamPositions } from '../log/entry.ts'
import { audienceOf, presentationOf, subjectOf } from '../rendering/presentations.ts'
import { applyAccountChanges } from './apply-account-changes.ts'
import { applyGuestVisibility } from './apply-guest-visibility.ts'
import { applySubscriptions, endSubscriptions } from './apply-subscriptions.ts'
import { type ApplyContext, closeQueue } from './changes.ts'
import { QueueIndex } from './queue-index.ts'

const CONTROL_EVENT_NAMES: ReadonlySet<string> = new Set(Object.values(controlEvents))

/**
 * Applies one log record to the partition: selects the queues that receive it and updates their state. If the record opens a
 * queue, `earlier` contains the records of its `HandoffRange` that must be applied to that queue first.
 */
export function applyLogRecord(
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
 * Maximum number of entries to read again for a new queue. It is exceeded only if reading the state took very long under heavy
 * load. All queues of the partition would wait meanwhile, so the queue isn't opened and its client has to try again.
 */
const MAX_HANDOFF_ENTRIES = 50_000

type Opening = PayloadOf<typeof domainEvents.events.queueOpened>

/** The queue that an entry opens here, or null. Depends on the log and the partition alone, so every owner decides alike. */
function openingOf({ entry, offset, positions }: LogRecord, context: ApplyContext): Opening | null {
  if (entry?.event !== controlEvents.queueOpened) return null
  const opening = entry.payload as Opening
  const { queue, since } = opening
  if (!context.isOurs(queue.user_id) || context.queues.get(queue.queue_id)) return null
  return offset - since > MAX_HANDOFF_ENTRIES || isOfLostLog(opening, offset, positions) ? null : opening
}

/**
 * Whether the state was read beside a log that has been lost since. The range between the state and this entry is then
 * incomplete in the new log.
 */
const isOfLostLog = ({ since, positions = {} }: Opening, offset: number, now: StreamPositions): boolean =>
  since >= offset || Object.entries(positions).some(([stream, seq]) => seq > (now[stream] ?? seq))

/**
 * The log range of a snapshot hand-off: from the offset at which a new queue's state was read to the entry that opens the
 * queue.
 */
export interface HandoffRange {
  /** The range begins after this offset and ends before the entry itself. */
  readonly offset: number
  readonly positions: StreamPositions
  /** Whether a record of the range must be applied: most are already in the new queue's state. */
  readonly concerns: (record: LogRecord) => boolean
}

/** The range that an entry needs; null if it opens no queue here. */
export function handoffRangeOf(record: LogRecord, context: ApplyContext): HandoffRange | null {
  const opening = openingOf(record, context)
  if (!opening) return null
  const inState = { snapshots: parseSnapshots(opening.queue.snapshots) }
  return {
    offset: opening.since,
    positions: opening.positions ?? {},
    concerns: ({ entry }) =>
      entry !== null && !CONTROL_EVENT_NAMES.has(entry.event) && !isInState(entry, inState),
  }
}

/**
 * Step 3 of the snapshot hand-off: the queue starts from the subscriptions of the snapshot. The entries since then that the
 * snapshot doesn't contain are applied to this queue alone.
 */
function openQueue(record: LogRecord, context: ApplyContext, earlier: readonly LogRecord[]): void {
  const opening = openingOf(record, context)
  if (!opening) return
  const { queue: queueRecord } = opening
  const queue = createQueueState(queueRecord, { shared: context.queues.shared })
  const onlyThisQueue = new QueueIndex()
  onlyThisQueue.add(queue)
  for (const one of earlier) {
    if (one.entry) applyDomainEvent(one, one.entry, { ...context, queues: onlyThisQueue })
  }
  context.changes.opened.push(queueRecord)
  // If its owner was deactivated meanwhile, the queue is already closed: it counts as opened, since register waits for that.
  if (onlyThisQueue.get(queueRecord.queue_id)) context.queues.add(queue)
}

function applyDomainEvent(record: LogRecord, entry: LogEntry, context: ApplyContext): void {
  applyAccountChanges(entry, context)
  applyGuestVisibility(entry, context)
  applySubscriptions(entry, context)
  for (const queue of context.queues.select(entry, audienceOf(entry))) {
    deliver(record, entry, queue, context)
  }
  endSubscriptions(entry, context)
  endQueues(entry, context)
}

/** Types of events with API keys, or with links that need none. */
const WITH_KEYS: ReadonlySet<string> = new Set(['realm_bot', 'realm_export'])

function deliver(record: LogRecord, entry: LogEntry, queue: QueueState, { changes }: ApplyContext): void {
  if (isInState(entry, queue) || !canSeeSubject(entry, queue)) return
  for (const { index, type } of presentationOf(entry).list(entry.payload, queue, record.cache)) {
    if (queue.eventTypes !== null && !queue.eventTypes.has(type)) continue
    const { queue_id, hides_keys } = queue.record
    if (hides_keys && WITH_KEYS.has(type)) continue
    const ids = changes.deliveries.get(queue_id)
    const eventId = eventIdOf(record.offset, index)
    if (ids) ids.push(eventId)
    else changes.deliveries.set(queue_id, [eventId])
    changes.deliveryCount++
    changes.payloads.set(record.offset, record.body)
  }
}

/** Whether a queue's owner may see the user that the event is about. Checks only queues with restricted visibility. */
function canSeeSubject(entry: LogEntry, queue: QueueState): boolean {
  if (queue.visibleUserIds === null) return true
  const subject = subjectOf(entry)
  return subject === null || canSeeUser(queue, subject)
}

const { realmDeactivated } = domainEvents.realm

/** Ends the queues of a deactivated organization, after delivery: pending polls still receive the event. */
function endQueues(entry: LogEntry, context: ApplyContext): void {
  if (entry.event !== realmDeactivated.name) return
  for (const queue of [...context.queues.select(entry, [{ kind: 'realm' }])]) {
    if (!isInState(entry, queue)) closeQueue(queue.record.queue_id, context, { shouldDeliverLast: true })
  }
}

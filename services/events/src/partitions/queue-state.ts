import { domainEvents, type LogEntry, type QueueRecord } from '@tms/contracts'
import { isVisible, parseSnapshot, type Snapshot } from './visibility.ts'

/** One live queue as the owner of its partition keeps it: the record, and what changes over its life. */
export interface QueueState {
  /** Another one takes its place when the owner's role changes. */
  record: QueueRecord
  /** Channels that the queue's owner is subscribed to, as far as this queue has been told. */
  readonly channelIds: Set<number>
  /** Whom its owner sees besides themselves and bots, as far as this queue has been told; null is everyone. */
  readonly visibleUserIds: Set<number> | null
  /** The state that the client got at register, by source; nothing visible in it is delivered. */
  readonly snapshots: ReadonlyMap<string, Snapshot>
  /** Types to queue; null is all. */
  readonly eventTypes: ReadonlySet<string> | null
  /** Gets messages of public channels beyond the owner's subscriptions. */
  readonly isPublicListener: boolean
}

/** Builds a queue's state from its record, and what changes over its life where that is kept apart from it. */
export function createQueueState(
  record: QueueRecord,
  channelIds: Iterable<number> = record.channel_ids,
  visibleUserIds: Iterable<number> = record.guest_visibility?.visible_user_ids ?? [],
): QueueState {
  return {
    record,
    channelIds: new Set(channelIds),
    // A record that an earlier release wrote says nothing of it.
    visibleUserIds: (record.guest_visibility ?? null) === null ? null : new Set(visibleUserIds),
    snapshots: new Map(
      Object.entries(record.snapshots).map(([source, text]) => [source, parseSnapshot(text)]),
    ),
    eventTypes: record.event_types === null ? null : new Set(record.event_types),
    isPublicListener: isPublicListener(record),
  }
}

/** A narrow widens the scope to all public channels, as `all_public_streams` does. */
function isPublicListener(record: QueueRecord): boolean {
  return record.all_public_streams || record.narrow.length > 0
}

/** Names of the events that steer the event system itself and reach no client. */
export const controlEvents = {
  queueOpened: domainEvents.events.queueOpened.name,
  queueClosed: domainEvents.events.queueClosed.name,
  logMarked: domainEvents.events.logMarked.name,
} as const

/** Step 4 of the hand-off: what the snapshot shows is in the state that the client got. What belongs to no transaction never is. */
export function isInState(entry: LogEntry, queue: QueueState): boolean {
  const snapshot = queue.snapshots.get(entry.source)
  if (entry.seq === 0) return false
  return snapshot !== undefined && isVisible(snapshot, entry.xid)
}

/** Whether a queue's owner sees a person, whom events may then be about. */
export function seesPerson({ visibleUserIds, record }: QueueState, userId: number): boolean {
  return visibleUserIds === null || userId === record.user_id || visibleUserIds.has(userId)
}

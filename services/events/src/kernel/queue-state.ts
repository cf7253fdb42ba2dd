import { allows, domainEvents, type LogEntry, type QueueRecord, Role, userRules } from '@tms/contracts'
import { isVisible, parseSnapshot, type Snapshot } from './snapshot.ts'

/** State of a live queue in the memory of its partition's owner. */
export interface QueueState {
  /** Replaced when the owner's role changes. */
  record: QueueRecord
  /** Channels that the queue's owner is subscribed to, according to the entries applied so far. */
  readonly channelIds: Set<number>
  /** Users visible to its owner besides the owner and bots, according to the entries applied so far; null is everyone. */
  readonly visibleUserIds: Set<number> | null
  /** Snapshots of the state that register returned, by source; events that a snapshot contains aren't delivered. */
  readonly snapshots: ReadonlyMap<string, Snapshot>
  /** Types to queue; null is all. */
  readonly eventTypes: ReadonlySet<string> | null
  /** Gets messages of public channels beyond the owner's subscriptions. */
  readonly isPublicListener: boolean
}

/** Builds a queue's state from its record. Subscriptions and visible users of an existing queue are stored apart from it. */
export function createQueueState(
  record: QueueRecord,
  channelIds: Iterable<number> = record.channel_ids,
  visibleUserIds: Iterable<number> = record.guest_visibility?.visible_user_ids ?? [],
): QueueState {
  return {
    record,
    channelIds: new Set(channelIds),
    // Records of earlier releases lack the field.
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

/** Names of the events that control the event system itself and aren't delivered to clients. */
export const controlEvents = {
  queueOpened: domainEvents.events.queueOpened.name,
  queueClosed: domainEvents.events.queueClosed.name,
  logMarked: domainEvents.events.logMarked.name,
} as const

/**
 * Step 4 of the snapshot hand-off: whether the state that the client got already contains the entry. Entries without a
 * transaction are never in it.
 */
export function isInState(entry: LogEntry, queue: QueueState): boolean {
  const snapshot = queue.snapshots.get(entry.source)
  if (entry.seq === 0) return false
  return snapshot !== undefined && isVisible(snapshot, entry.xid)
}

/** Whether a queue's owner can see a user who is no bot, and so may receive events about that user. */
export function canSeeUser({ visibleUserIds, record }: QueueState, userId: number): boolean {
  return (
    visibleUserIds === null ||
    allows(userRules.see, {
      role: Role.guest,
      isRestricted: true,
      isSelf: userId === record.user_id,
      isBot: false,
      isConnected: visibleUserIds.has(userId),
    })
  )
}

import { allows, domainEvents, type LogEntry, type QueueRecord, Role, userRules } from '@tms/contracts'
import { IdSet } from './id-set.ts'
import { SharedValues } from './shared-values.ts'
import { isVisible, parseSnapshot, type Snapshot } from './snapshot.ts'

/** State of a live queue in the memory of its partition's owner. */
export interface QueueState {
  /** As it is stored (`toStoredRecord`). Replaced when the owner's role changes. */
  record: QueueRecord
  /** Channels that the queue's owner is subscribed to, according to the entries applied so far. */
  readonly channelIds: IdSet
  /** Users visible to its owner besides the owner and bots, according to the entries applied so far; null is everyone. */
  readonly visibleUserIds: Set<number> | null
  /** Snapshots of the state that register returned, by source; events that a snapshot contains aren't delivered. */
  readonly snapshots: Snapshots
  /** Types to queue; null is all. */
  readonly eventTypes: ReadonlySet<string> | null
  /** Gets messages of public channels beyond the owner's subscriptions. */
  readonly isPublicListener: boolean
}

/** Most queues have others, so it is no map, which would take twice as much. */
export type Snapshots = Readonly<Record<string, Snapshot>>

interface Details {
  /** What equal queues have in common. */
  readonly shared?: SharedValues
  /** Of an existing queue: they are stored apart from its record. */
  readonly channelIds?: Iterable<number>
  readonly visibleUserIds?: Iterable<number>
}

/** Builds a queue's state from its record. */
export function createQueueState(
  record: QueueRecord,
  {
    shared = new SharedValues(),
    channelIds = record.channel_ids,
    visibleUserIds = record.guest_visibility?.visible_user_ids ?? [],
  }: Details = {},
): QueueState {
  const { texts, snapshots } = shared.get('snapshots', record.snapshots, (source) => ({
    texts: source,
    snapshots: parseSnapshots(source),
  }))
  const { eventTypes, ...options } = shared.get('options', optionsOf(record), (source) => ({
    ...source,
    eventTypes: source.event_types === null ? null : new Set(source.event_types),
  }))
  return {
    record: { ...toStoredRecord(record), ...options, snapshots: texts },
    channelIds: new IdSet(channelIds),
    // Records of earlier releases lack the field.
    visibleUserIds: (record.guest_visibility ?? null) === null ? null : new Set(visibleUserIds),
    snapshots,
    eventTypes,
    isPublicListener: isPublicListener(record),
  }
}

const optionsOf = ({ event_types, narrow, client_capabilities }: QueueRecord) => ({
  event_types,
  narrow,
  client_capabilities,
})

export const parseSnapshots = (texts: QueueRecord['snapshots']): Snapshots =>
  Object.fromEntries(Object.entries(texts).map(([source, text]) => [source, parseSnapshot(text)]))

const NO_IDS: number[] = []

/** The record without the subscriptions and visible users, which change, so that each of the two is stored as a set of its own. */
export function toStoredRecord(record: QueueRecord): QueueRecord {
  const guest_visibility = record.guest_visibility && { ...record.guest_visibility, visible_user_ids: NO_IDS }
  return { ...record, channel_ids: NO_IDS, guest_visibility }
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
export function isInState(entry: LogEntry, { snapshots }: Pick<QueueState, 'snapshots'>): boolean {
  const snapshot = snapshots[entry.source]
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

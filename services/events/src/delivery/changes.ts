import type { QueueRecord } from '@tms/contracts'
import type { QueueState } from '../kernel/queue-state.ts'
import type { LogRecord } from '../log/entry.ts'
import type { QueueIndex } from './queue-index.ts'

/** Log entries in one commit: too small wastes round trips under load, too large blocks Redis. */
export const MAX_BATCH = 200

/** The changes that a batch of log entries made, in order: the content of its commit. */
export interface Changes {
  readonly deliveries: Map<string, number[]>
  deliveryCount: number
  /** Offsets and texts of entries that at least one queue now refers to. */
  readonly payloads: Map<number, string>
  /** As they are in the log: with the subscriptions and visible users that they begin with. */
  readonly opened: QueueRecord[]
  readonly closed: string[]
  /** Last event IDs of closed queues, for polls that are pending at that moment; nobody can fetch them later. */
  readonly finalDeliveries: Map<string, readonly number[]>
  readonly updatedQueues: Set<QueueState>
  readonly subscriptions: { queueId: string; channelId: number; isSubscribed: boolean }[]
  /** Users who became visible or invisible to queues' owners, in order. */
  readonly visibility: { queueId: string; userId: number; isVisible: boolean }[]
  /** Entries that changed something and are part of recorded traces. */
  readonly traced: LogRecord[]
}

export function createChanges(): Changes {
  return {
    deliveries: new Map(),
    deliveryCount: 0,
    payloads: new Map(),
    opened: [],
    closed: [],
    finalDeliveries: new Map(),
    updatedQueues: new Set(),
    subscriptions: [],
    visibility: [],
    traced: [],
  }
}

export const isEmpty = (changes: Changes): boolean => countChanges(changes) === 0

/** Number of changes so far; it grows if an entry changes something. */
export function countChanges({
  deliveryCount,
  opened,
  closed,
  subscriptions,
  visibility,
  updatedQueues,
}: Changes): number {
  return (
    deliveryCount +
    opened.length +
    closed.length +
    subscriptions.length +
    visibility.length +
    updatedQueues.size
  )
}

export interface ApplyContext {
  readonly queues: QueueIndex
  readonly changes: Changes
  /** Whether the user's queues live in this partition. */
  readonly isOurs: (userId: number) => boolean
}

/**
 * Removes a queue because its client deleted it, it expired or its owner was deactivated. With `shouldDeliverLast`, a pending
 * poll still gets the queue's events of this batch.
 */
export function closeQueue(
  queueId: string,
  { queues, changes }: ApplyContext,
  { shouldDeliverLast = false } = {},
): void {
  const queue = queues.get(queueId)
  if (!queue) return
  queues.remove(queue)
  const last = changes.deliveries.get(queueId)
  if (shouldDeliverLast && last) changes.finalDeliveries.set(queueId, last)
  changes.deliveries.delete(queueId)
  changes.updatedQueues.delete(queue)
  changes.closed.push(queueId)
}

import type { LogRecord } from '../log/entry.ts'
import type { QueueIndex } from './queue-index.ts'
import type { QueueState } from './queue-state.ts'

/** Log entries in one commit: too small wastes round trips under load, too large blocks Redis. */
export const MAX_BATCH = 200

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
  /** Event IDs of closed queues, for who waits for events at that moment; nobody can fetch them later. */
  readonly farewells: Map<string, readonly number[]>
  /** Queues whose record is another. */
  readonly restated: Set<QueueState>
  /** What queues' owners subscribed to and left, in order. */
  readonly subscriptions: { queueId: string; channelId: number; isSubscribed: boolean }[]
  /** Who came into the sight of queues' owners and who went out of it, in order. */
  readonly sights: { queueId: string; userId: number; isSeen: boolean }[]
  /** Entries that changed something and are part of recorded traces. */
  readonly traced: LogRecord[]
}

export function noChanges(): Changes {
  return {
    deliveries: new Map(),
    deliveryCount: 0,
    payloads: new Map(),
    opened: [],
    closed: [],
    farewells: new Map(),
    restated: new Set(),
    subscriptions: [],
    sights: [],
    traced: [],
  }
}

export function isEmpty(changes: Changes): boolean {
  return (
    changes.deliveries.size === 0 &&
    changes.opened.length === 0 &&
    changes.closed.length === 0 &&
    changes.restated.size === 0 &&
    changes.subscriptions.length === 0 &&
    changes.sights.length === 0
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
 * Removes a queue, whether the client deleted it, it ran out, or its owner is gone. With `tellsLast`, a poll that is held gets what
 * this batch had for it.
 */
export function closeQueue(
  queueId: string,
  { queues, changes }: ApplyContext,
  { tellsLast = false } = {},
): void {
  const queue = queues.get(queueId)
  if (!queue) return
  queues.remove(queue)
  const last = changes.deliveries.get(queueId)
  if (tellsLast && last) changes.farewells.set(queueId, last)
  changes.deliveries.delete(queueId)
  changes.restated.delete(queue)
  changes.closed.push(queueId)
}

import type { QueueIndex } from './queue-index.ts'
import type { QueueState } from './queue-state.ts'

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
  /** Queues whose record is another. */
  readonly restated: Set<QueueState>
  /** What queues' owners subscribed to and left, in order. */
  readonly subscriptions: { queueId: string; channelId: number; isSubscribed: boolean }[]
  /** Who came into the sight of queues' owners and who went out of it, in order. */
  readonly sights: { queueId: string; userId: number; isSeen: boolean }[]
}

export function noChanges(): Changes {
  return {
    deliveries: new Map(),
    deliveryCount: 0,
    payloads: new Map(),
    opened: [],
    closed: [],
    restated: new Set(),
    subscriptions: [],
    sights: [],
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

/** Removes a queue, whether the client deleted it, it ran out, or its owner is gone. */
export function closeQueue(queueId: string, { queues, changes }: ApplyContext): void {
  const queue = queues.get(queueId)
  if (!queue) return
  queues.remove(queue)
  changes.deliveries.delete(queueId)
  changes.restated.delete(queue)
  changes.closed.push(queueId)
}

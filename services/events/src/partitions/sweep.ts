import type { QueueState } from '../kernel/queue-state.ts'
import type { PartitionStore } from '../redis/partition-store.ts'
import type { Partition } from './partition.ts'

/**
 * Maximum number of the store's sweeps in one go. Payloads older than all queues must be dropped as fast as the log can grow.
 * Unreferenced payloads between queues cost more to find and may take several rounds.
 */
const MAX_OLDER = 50
const MAX_BETWEEN = 4

/** Limits beyond which queues expire. */
export interface QueueBounds {
  /** Undelivered events of one queue. */
  readonly maxBacklog: number
  /** Live queues of one user. */
  readonly maxQueuesPerUser: number
}

/**
 * Finds the queues to end: those past their lifespan, those that have grown too long, and, of a user with too many, those that
 * went unpolled longest, because clients have left them behind.
 */
export async function findExpiredQueues(
  partition: Partition,
  store: PartitionStore,
  { maxBacklog, maxQueuesPerUser }: QueueBounds,
): Promise<string[]> {
  const expired = [...(await sweepPayloads(partition.partition, store, maxBacklog))]
  for (const queues of partition.listQueuesOverLimit(maxQueuesPerUser)) {
    const endsAt = await store.listEndTimes(
      partition.partition,
      queues.map(({ record }) => record.queue_id),
    )
    expired.push(...pickIdlest(queues, endsAt, queues.length - maxQueuesPerUser))
  }
  return expired
}

/** Returns the queues that the last sweep found. Other commands reach Redis between sweeps. */
async function sweepPayloads(
  partition: number,
  store: Pick<PartitionStore, 'sweep'>,
  maxBacklog: number,
): Promise<readonly string[]> {
  for (let sweeps = 1; ; sweeps++) {
    const { expiredQueueIds, hasOlder, hasBetween } = await store.sweep(partition, maxBacklog)
    if (!(hasOlder && sweeps < MAX_OLDER) && !(hasBetween && sweeps < MAX_BETWEEN)) return expiredQueueIds
  }
}

/** The `count` least recently polled queues. `endsAt` is when each ends if nobody polls it, in UNIX seconds. */
export function pickIdlest(
  queues: readonly Pick<QueueState, 'record'>[],
  endsAt: ReadonlyMap<string, number>,
  count: number,
): string[] {
  return queues
    .map(({ record: { queue_id, lifespan_seconds } }) => ({
      queueId: queue_id,
      polledAt: (endsAt.get(queue_id) ?? 0) - lifespan_seconds,
    }))
    .sort((a, b) => a.polledAt - b.polledAt)
    .slice(0, count)
    .map(({ queueId }) => queueId)
}

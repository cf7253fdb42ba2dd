import type { QueueState } from '../kernel/queue-state.ts'
import type { PartitionStore } from '../redis/partition-store.ts'
import type { Partition } from './partition.ts'

/**
 * Maximum number of the store's sweeps in one go. Payloads older than all queues must be dropped as fast as the log can grow.
 * Unreferenced payloads between queues cost more to find and may take several rounds.
 */
const MAX_OLDER = 50
const MAX_BETWEEN = 4

/** Limits beyond which queues are closed. */
export interface QueueBounds {
  /** Undelivered events of one queue. */
  readonly maxBacklog: number
  /** Live queues of one user. */
  readonly maxQueuesPerUser: number
}

/**
 * Finds the queues to close: those past their lifespan, those that have grown too long, and, of a user with too many, those
 * that went unpolled longest, because clients have left them behind.
 */
export async function findQueuesToClose(
  partition: Partition,
  store: PartitionStore,
  { maxBacklog, maxQueuesPerUser }: QueueBounds,
): Promise<string[]> {
  const queueIds = [...(await sweepRepeatedly(partition.number, store, maxBacklog))]
  for (const queues of partition.listQueuesOverLimit(maxQueuesPerUser)) {
    const endsAt = await store.listEndTimes(
      partition.number,
      queues.map(({ record }) => record.queue_id),
    )
    queueIds.push(...pickIdlest(queues, endsAt, queues.length - maxQueuesPerUser))
  }
  return queueIds
}

/**
 * Sweeps until there is nothing more to drop or a limit is reached. Returns the queues to close that the last sweep found. Other
 * commands reach Redis between sweeps.
 */
async function sweepRepeatedly(
  partition: number,
  store: Pick<PartitionStore, 'sweep'>,
  maxBacklog: number,
): Promise<readonly string[]> {
  for (let sweeps = 1; ; sweeps++) {
    const { queueIdsToClose, hasOlder, hasBetween } = await store.sweep(partition, maxBacklog)
    if (!(hasOlder && sweeps < MAX_OLDER) && !(hasBetween && sweeps < MAX_BETWEEN)) return queueIdsToClose
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

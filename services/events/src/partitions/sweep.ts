import type { PartitionStore } from '../redis/partition-store.ts'
import type { Partition } from './partition.ts'
import type { QueueState } from './queue-state.ts'

/**
 * How many of a store's sweeps one is. What is older than all queues is to go as fast as a log can grow, or it never does; what
 * lies between them costs more to find, and may take several rounds.
 */
const MAX_OLDER = 50
const MAX_BETWEEN = 4

/** What a partition need not keep. */
export interface QueueBounds {
  /** Undelivered events of one queue. */
  readonly maxBacklog: number
  /** Live queues of one user. */
  readonly maxQueuesPerUser: number
}

/**
 * Finds the queues that are to end: those that ran out, those that have grown too long, and of a user who has too many
 * those that went unpolled longest, which are what a client has left behind rather than what it uses.
 */
export async function findDoomed(
  partition: Partition,
  store: PartitionStore,
  { maxBacklog, maxQueuesPerUser }: QueueBounds,
): Promise<string[]> {
  const doomed = [...(await sweepPayloads(partition.partition, store, maxBacklog))]
  for (const queues of partition.crowds(maxQueuesPerUser)) {
    const endsAt = await store.endsOf(
      partition.partition,
      queues.map(({ record }) => record.queue_id),
    )
    doomed.push(...pickIdlest(queues, endsAt, queues.length - maxQueuesPerUser))
  }
  return doomed
}

/** Returns the queues that the last sweep has found. Others get at Redis in between. */
async function sweepPayloads(
  partition: number,
  store: Pick<PartitionStore, 'sweep'>,
  maxBacklog: number,
): Promise<readonly string[]> {
  for (let sweeps = 1; ; sweeps++) {
    const { doomed, hasOlder, hasBetween } = await store.sweep(partition, maxBacklog)
    if (!(hasOlder && sweeps < MAX_OLDER) && !(hasBetween && sweeps < MAX_BETWEEN)) return doomed
  }
}

/** The `count` queues that were polled least lately, given when each ends if nobody polls it (UNIX seconds). */
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

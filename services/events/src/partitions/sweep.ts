import type { PartitionStore } from '../redis/partition-store.ts'
import type { Partition } from './partition.ts'
import type { QueueState } from './queue-state.ts'

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
  const doomed = await store.sweep(partition.partition, maxBacklog)
  for (const queues of partition.crowds(maxQueuesPerUser)) {
    const endsAt = await store.endsOf(
      partition.partition,
      queues.map(({ record }) => record.queue_id),
    )
    doomed.push(...pickIdlest(queues, endsAt, queues.length - maxQueuesPerUser))
  }
  return doomed
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

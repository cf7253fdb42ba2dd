/** Hashes of a partition with a field per queue ID; a queue's fields are deleted with it. */
export const QUEUE_HASHES = ['queues', 'acked', 'poll_replicas', 'boundaries', 'streams'] as const
/** Prefixes of the keys of a single queue, followed by its ID; they are deleted with the queue. */
export const QUEUE_KEYS = ['q:', 'channels:', 'visible:'] as const

/** Between a partition's prefix and a replica's ID: the channel of `Keys.takeovers`. */
export const TAKEOVERS = 'takeovers:'

/**
 * Names of Redis keys. All keys of a partition share a hash tag, so that in Redis Cluster a partition's
 * scripts run on one node.
 */
export interface Keys {
  /** Prefix of all keys of a partition: `meta`, `lease`, `payloads`, `idle`, and the keys of its queues. */
  partition(partition: number): string
  /** Live replicas by the time of their last announcement. */
  readonly replicas: string
  /** The release that was last published to clients. */
  readonly release: string
  /** Lock of the replica that publishes a release. */
  readonly releaseLock: string
  /** Channel on which a partition's owner publishes its commits, on the same node as the partition's keys. */
  wakes(partition: number): string
  /** The channels of all partitions. */
  readonly allWakes: readonly string[]
  /** Channel for replicas that start, stop, release or acquire partitions: all others assign partitions at once. */
  readonly handovers: string
  /**
   * Channels, one per partition and on its node, on which a replica learns that one of its pending polls was superseded. The
   * POLL script publishes there, so no other node is involved.
   */
  takeovers(replicaId: string): readonly string[]
}

export function keysOf(namespace: string, partitionCount: number): Keys {
  // The number of partitions is part of the names, because queues of another number can't be found by hashing.
  const prefix = `${namespace === '' ? '' : `${namespace}:`}events:${partitionCount}`
  const ofPartition = (partition: number) => `{${prefix}:${partition}}:`
  const wakes = (partition: number) => `${ofPartition(partition)}wakes`
  const ofAll = (name: (partition: number) => string) =>
    Array.from({ length: partitionCount }, (_, partition) => name(partition))
  return {
    partition: ofPartition,
    replicas: `${prefix}:replicas`,
    release: `${prefix}:release`,
    releaseLock: `${prefix}:release-lock`,
    wakes,
    allWakes: ofAll(wakes),
    handovers: `${prefix}:handovers`,
    takeovers: (replicaId) => ofAll((partition) => `${ofPartition(partition)}${TAKEOVERS}${replicaId}`),
  }
}

/** Hashes in which a partition keeps something of each queue, by its ID; all of it ends with the queue. */
export const QUEUE_HASHES = ['queues', 'acked', 'holders', 'told'] as const
/** Before a queue's ID: names of keys that are its own, and end with it likewise. */
export const QUEUE_KEYS = ['q:', 'channels:', 'seen:'] as const

/** Between a partition's prefix and a replica's ID: the channel of `Keys.takeovers`. */
export const TAKEOVERS = 'takeovers:'

/**
 * Names of Redis keys. All keys of a partition share a hash tag, so that in Redis Cluster a partition's
 * scripts run on one node.
 */
export interface Keys {
  /** Prefix of everything in a partition: `meta`, `lease`, `payloads`, `idle`, and what there is of queues. */
  partition(partition: number): string
  /** Live replicas by when they last said so. */
  readonly replicas: string
  /** What clients were last told of the server they talk to. */
  readonly release: string
  /** Held by the replica that tells them. */
  readonly releaseLock: string
  /** Channel on which a partition's owner tells what it committed; of the partition's node, as its keys are. */
  wakes(partition: number): string
  /** The channels of all partitions. */
  readonly allWakes: readonly string[]
  /** Channel that says that replicas came or went, or that a partition is free: all look at once who should own what. */
  readonly handovers: string
  /**
   * Channels, one of each partition and of its node, on which a replica is told that a poll that it holds was replaced: by
   * the replacing itself, so that no other node is needed for it.
   */
  takeovers(replicaId: string): readonly string[]
}

export function keysOf(namespace: string, partitionCount: number): Keys {
  // The number of partitions is part of the name: queues under another one can't be found by hashing.
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

/**
 * Names of Redis keys. All keys of a partition share a hash tag, so that in Redis Cluster a partition's
 * scripts run on one node.
 */
export interface Keys {
  /** Prefix of everything in a partition: `queues`, `meta`, `acked`, `idle`, `holders`, `told`, `payloads`, `q:<id>`, `channels:<id>`, `seen:<id>`. */
  partition(partition: number): string
  /** Live replicas by when they last said so. */
  readonly replicas: string
  /** What clients were last told of the server they talk to. */
  readonly release: string
  /** Held by the replica that tells them. */
  readonly releaseLock: string
  /** Channel on which a partition's owner tells what it committed. */
  readonly wakes: string
  /** Channel that says that replicas came or went, or that a partition is free: all look at once who should own what. */
  readonly handovers: string
  /** Channel on which a replica is told that a poll it holds was replaced. */
  replica(replicaId: string): string
}

export function keysOf(namespace: string, partitionCount: number): Keys {
  // The number of partitions is part of the name: queues under another one can't be found by hashing.
  const prefix = `${namespace === '' ? '' : `${namespace}:`}events:${partitionCount}`
  return {
    partition: (partition) => `{${prefix}:${partition}}:`,
    replicas: `${prefix}:replicas`,
    release: `${prefix}:release`,
    releaseLock: `${prefix}:release-lock`,
    wakes: `${prefix}:wakes`,
    handovers: `${prefix}:handovers`,
    replica: (replicaId) => `${prefix}:replica:${replicaId}`,
  }
}

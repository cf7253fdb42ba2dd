/**
 * The partition of a user: all of a user's queues live there. The ID's bits are mixed first, so that
 * neighbouring IDs spread evenly whatever the number of partitions.
 */
export function partitionOf(userId: number, partitionCount: number): number {
  return mix(userId) % partitionCount
}

/**
 * The live replica that should own a partition: the highest score wins (rendezvous hashing), so a replica that starts or stops
 * moves only its own share.
 */
export function preferredReplica(partition: number, replicaIds: readonly string[]): string | undefined {
  let best: string | undefined
  let bestScore = -1
  for (const replicaId of replicaIds) {
    const score = mix(hashText(replicaId) ^ mix(partition + 1))
    if (score > bestScore || (score === bestScore && best !== undefined && replicaId > best)) {
      best = replicaId
      bestScore = score
    }
  }
  return best
}

function mix(value: number): number {
  let h = Math.imul(value ^ (value >>> 16), 0x45d9f3b)
  h = Math.imul(h ^ (h >>> 16), 0x45d9f3b)
  return (h ^ (h >>> 16)) >>> 0
}

function hashText(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return h >>> 0
}

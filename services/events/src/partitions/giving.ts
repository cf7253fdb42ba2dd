/**
 * A replica that came is handed what it should own in so many portions at most. Clients wait for what is given until it is
 * loaded again, by a process that has just started. Too few make them wait longer; too many draw the move out.
 */
const PORTIONS = 8
/**
 * For so long it is waited until a replica says that it has taken what it was given. Nobody misses what it isn't given
 * meanwhile, but that it says so may have been lost.
 */
const PATIENCE_MS = 1_500

/** What may be given to other replicas, each of which gets its next portion once it has taken the one before. */
export interface Giving {
  /** Shares out anew, when this replica looks who should own what among those that live. */
  begin(liveReplicas: number): void
  /** Whether one more partition may be given to this replica now; it counts as given then. */
  allows(receiver: string): boolean
  /** The replica was heard of: what it was given, it has taken, or it will say so again. */
  heardOf(receiver: string): void
}

export function createGiving(partitionCount: number, now: () => number): Giving {
  /** Who hasn't been heard of since it was given something, and when that was. */
  const waitedFor = new Map<string, number>()
  /** How many more each may be given now. */
  const room = new Map<string, number>()
  let portion = 1

  return {
    begin: (liveReplicas) => {
      // The others give as well.
      portion = Math.ceil(partitionCount / PORTIONS / Math.max(1, liveReplicas - 1))
      room.clear()
      for (const [receiver, since] of waitedFor) {
        if (now() - since >= PATIENCE_MS) waitedFor.delete(receiver)
      }
    },
    allows: (receiver) => {
      const left = room.get(receiver) ?? (waitedFor.has(receiver) ? 0 : portion)
      if (left === 0) return false
      room.set(receiver, left - 1)
      waitedFor.set(receiver, now())
      return true
    },
    heardOf: (receiver) => void waitedFor.delete(receiver),
  }
}

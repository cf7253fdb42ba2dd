/**
 * Partitions move to a new replica in at most this many portions. Clients of a released partition wait until the new replica,
 * which has just started, has loaded it. Too few portions make them wait longer; too many prolong the move.
 */
const PORTIONS = 8
/**
 * Maximum wait for a replica to confirm that it has acquired its portion. The wait harms nobody, because the partitions of the
 * next portion are still served, but the confirmation may have been lost.
 */
const CONFIRM_TIMEOUT_MS = 1_500

/** Limits how many partitions are released to other replicas: each gets its next portion after it acquired the previous one. */
export interface ReleaseLimit {
  /** Begins a round of assigning partitions among the live replicas. */
  startRound(liveReplicas: number): void
  /** Whether one more partition may be released to this replica now. If so, it is counted. */
  mayRelease(receiver: string): boolean
  /** The replica announced a change: it has acquired its portion, or will announce that again. */
  confirm(receiver: string): void
}

export function createReleaseLimit(partitionCount: number, now: () => number): ReleaseLimit {
  /** Replicas that have yet to confirm, by the time of the last release to them. */
  const unconfirmed = new Map<string, number>()
  /** How many more partitions may be released to each replica in this round. */
  const remaining = new Map<string, number>()
  let portion = 1

  return {
    startRound: (liveReplicas) => {
      // The other replicas release their share of the portion.
      portion = Math.ceil(partitionCount / PORTIONS / Math.max(1, liveReplicas - 1))
      remaining.clear()
      for (const [receiver, since] of unconfirmed) {
        if (now() - since >= CONFIRM_TIMEOUT_MS) unconfirmed.delete(receiver)
      }
    },
    mayRelease: (receiver) => {
      const left = remaining.get(receiver) ?? (unconfirmed.has(receiver) ? 0 : portion)
      if (left === 0) return false
      remaining.set(receiver, left - 1)
      unconfirmed.set(receiver, now())
      return true
    },
    confirm: (receiver) => void unconfirmed.delete(receiver),
  }
}

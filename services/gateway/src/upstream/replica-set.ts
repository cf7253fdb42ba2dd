/** One process of a service, at an address of the configuration. */
export interface Replica {
  readonly hostname: string
  readonly port: number
  readonly isTls: boolean
  /** For the Host header. */
  readonly host: string
  /** Not chosen before this time while there is another, in milliseconds. */
  penaltyUntil: number
  /** It answers no health check; not chosen while there is another. */
  isUnresponsive: boolean
  /** Since when it has been about to stop, by its own word; not chosen while there is another. Null if it isn't. */
  leavingSince: number | null
}

/**
 * How long a replica that failed is skipped. Too small sends every other request to a dead replica first; too large
 * leaves one idle that has come back.
 */
const PENALTY_MS = 1_000

/**
 * The replicas of one service, used in turn; those that just failed, are unresponsive or leave only if there is no other.
 */
export class ReplicaSet {
  readonly #replicas: readonly Replica[]
  readonly #now: () => number
  #turn = 0

  constructor(urls: readonly string[], now: () => number) {
    this.#now = now
    this.#replicas = urls.map((url) => {
      const { hostname, port, host, protocol } = new URL(url)
      const isTls = protocol === 'https:'
      if (!isTls && protocol !== 'http:') throw new Error(`${url} is not an http: or https: address`)
      // An IPv6 literal is bracketed in a URL, but not when connecting.
      const name = hostname.replace(/^\[|\]$/g, '')
      const address = { hostname: name, port: Number(port || (isTls ? 443 : 80)), isTls, host }
      return { ...address, penaltyUntil: 0, isUnresponsive: false, leavingSince: null }
    })
  }

  get size(): number {
    return this.#replicas.length
  }

  get all(): readonly Replica[] {
    return this.#replicas
  }

  /**
   * The next healthy replica in turn; otherwise, responsive ones first, the one that failed longest ago, and of those that leave
   * the one that has said so first: it may have been replaced since.
   */
  pick(): Replica {
    const now = this.#now()
    let best = this.#at(this.#turn)
    for (let step = 0; step < this.size; step++) {
      const replica = this.#at(this.#turn++)
      if (replica.penaltyUntil <= now && !replica.isUnresponsive && replica.leavingSince === null)
        return replica
      if (isBetter(replica, best, now)) best = replica
    }
    return best
  }

  /** Skips the replica for a while. */
  penalize(replica: Replica): void {
    replica.penaltyUntil = this.#now() + PENALTY_MS
  }

  /** Records whether a replica that has answered said that it leaves. */
  setLeaving(replica: Replica, isLeaving: boolean): void {
    replica.leavingSince = isLeaving ? (replica.leavingSince ?? this.#now()) : null
  }

  #at(turn: number): Replica {
    return this.#replicas[turn % this.size] as Replica
  }
}

function isBetter(one: Replica, other: Replica, now: number): boolean {
  if (one.isUnresponsive !== other.isUnresponsive) return other.isUnresponsive
  const [failed, otherFailed] = [Math.max(one.penaltyUntil, now), Math.max(other.penaltyUntil, now)]
  if (failed !== otherFailed) return failed < otherFailed
  return (one.leavingSince ?? 0) < (other.leavingSince ?? 0)
}

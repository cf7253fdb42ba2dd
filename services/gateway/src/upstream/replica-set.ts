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
}

/**
 * How long a replica that failed is skipped. Too small sends every other request to a dead replica first; too large
 * leaves one idle that has come back.
 */
const PENALTY_MS = 1_000

/** The replicas of one service, used in turn; those that just failed or are unresponsive only if there is no other. */
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
      return { ...address, penaltyUntil: 0, isUnresponsive: false }
    })
  }

  get size(): number {
    return this.#replicas.length
  }

  get all(): readonly Replica[] {
    return this.#replicas
  }

  /** The next healthy replica in turn; otherwise the one that failed longest ago, responsive ones first. */
  pick(): Replica {
    const now = this.#now()
    let best = this.#at(this.#turn)
    for (let step = 0; step < this.size; step++) {
      const replica = this.#at(this.#turn++)
      if (replica.penaltyUntil <= now && !replica.isUnresponsive) return replica
      if (isBetter(replica, best)) best = replica
    }
    return best
  }

  /** Skips the replica for a while. */
  penalize(replica: Replica): void {
    replica.penaltyUntil = this.#now() + PENALTY_MS
  }

  #at(turn: number): Replica {
    return this.#replicas[turn % this.size] as Replica
  }
}

function isBetter(one: Replica, other: Replica): boolean {
  return one.isUnresponsive === other.isUnresponsive
    ? one.penaltyUntil < other.penaltyUntil
    : other.isUnresponsive
}

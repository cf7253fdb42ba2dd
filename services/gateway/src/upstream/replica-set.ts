/** One process of a service, as its address in the configuration names it. */
export interface Replica {
  readonly hostname: string
  readonly port: number
  readonly isTls: boolean
  /** For the Host header. */
  readonly host: string
  /** Not chosen before this time while there is another, in milliseconds. */
  penaltyUntil: number
  /** It answers nothing, not even whether it lives; not chosen while there is another. */
  isSilent: boolean
}

/**
 * How long a replica that failed is passed over. Too small sends every other request to a dead replica
 * first; too large leaves one idle that has come back.
 */
const PENALTY_MS = 1_000

/** The replicas of one service, taken in turn; those that just failed or are silent only when there is no other. */
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
      // An IPv6 literal is bracketed in a URL, but not where it is connected to.
      const name = hostname.replace(/^\[|\]$/g, '')
      const address = { hostname: name, port: Number(port || (isTls ? 443 : 80)), isTls, host }
      return { ...address, penaltyUntil: 0, isSilent: false }
    })
  }

  get size(): number {
    return this.#replicas.length
  }

  get all(): readonly Replica[] {
    return this.#replicas
  }

  /** The next in turn that is well, else of those that aren't silent, or of all, the one whose failure is the longest ago. */
  pick(): Replica {
    const now = this.#now()
    let best = this.#at(this.#turn)
    for (let step = 0; step < this.size; step++) {
      const replica = this.#at(this.#turn++)
      if (replica.penaltyUntil <= now && !replica.isSilent) return replica
      if (isBetter(replica, best)) best = replica
    }
    return best
  }

  /** Passes the replica over for a while. */
  penalize(replica: Replica): void {
    replica.penaltyUntil = this.#now() + PENALTY_MS
  }

  #at(turn: number): Replica {
    return this.#replicas[turn % this.size] as Replica
  }
}

function isBetter(one: Replica, other: Replica): boolean {
  return one.isSilent === other.isSilent ? one.penaltyUntil < other.penaltyUntil : other.isSilent
}

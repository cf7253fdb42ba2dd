import type { Socket } from 'node:net'

/** Too small connects anew all the time; too large leaves replicas that are new without work. */
const MAX_AGE_MS = 300_000
/** What was connected together must not be renewed together. */
const SPREAD = 0.25

/**
 * Says which connections have been kept for long enough. Behind one name with several replicas, a connection is one replica's for
 * as long as it is used; only who connects anew gets to know of others.
 */
export class ConnectionAges {
  readonly #renewAt = new WeakMap<Socket, number>()

  /** To be asked at each request: its connection's age counts from the first. */
  isOld(socket: Socket): boolean {
    const now = performance.now()
    const renewAt = this.#renewAt.get(socket)
    if (renewAt !== undefined) return now >= renewAt
    this.#renewAt.set(socket, now + MAX_AGE_MS * (1 - SPREAD * Math.random()))
    return false
  }
}

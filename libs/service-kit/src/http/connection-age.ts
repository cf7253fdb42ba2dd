import type { Socket } from 'node:net'

/** Too small reconnects all the time; too large leaves new replicas without work. */
const MAX_AGE_MS = 300_000
/** Connections made together must not be renewed together. */
const SPREAD = 0.25

/**
 * Tells which connections are old enough to be closed. Behind one name with several replicas, a connection stays with
 * one replica for as long as it is used, so only new connections reach new replicas.
 */
export class ConnectionAges {
  readonly #renewAt = new WeakMap<Socket, number>()

  /** Called at each request: the connection's age counts from the first. */
  isOld(socket: Socket): boolean {
    const now = performance.now()
    const renewAt = this.#renewAt.get(socket)
    if (renewAt !== undefined) return now >= renewAt
    this.#renewAt.set(socket, now + MAX_AGE_MS * (1 - SPREAD * Math.random()))
    return false
  }
}

import type { Socket } from 'node:net'

/** The request of a connection that was just made may be on its way: too small breaks it off, too large delays the end. */
const ARRIVING_MS = 1_000

/**
 * Connections over which nothing has come. Browsers open some in advance, and clients for requests that they then give up. Node
 * counts them as requests in progress, so that closing a server would wait for them.
 */
export class UnusedConnections {
  readonly #openedAt = new Map<Socket, number>()
  /** One shared listener, since each connection would pay for its own. */
  readonly #forget: (this: Socket) => void

  constructor() {
    const openedAt = this.#openedAt
    this.#forget = function () {
      openedAt.delete(this)
    }
  }

  /** Called for each new connection. */
  add(socket: Socket): void {
    this.#openedAt.set(socket, performance.now())
    socket.on('close', this.#forget)
  }

  /** Called at each request. */
  delete(socket: Socket): void {
    if (this.#openedAt.delete(socket)) socket.removeListener('close', this.#forget)
  }

  /** Ends them, except those that were just made. */
  end(): void {
    const before = performance.now() - ARRIVING_MS
    for (const [socket, openedAt] of this.#openedAt)
      if (openedAt <= before && socket.bytesRead === 0) socket.destroy()
  }
}

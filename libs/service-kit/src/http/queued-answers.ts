import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Emits `close` on pipelined answers whose connection has ended. Node does so only for the answer whose turn it is,
 * so listeners of the others would wait forever.
 */
export class QueuedAnswers {
  readonly #waiting = new WeakMap<Socket, Set<ServerResponse>>()

  /** Watches an answer whose turn hasn't come. */
  add(socket: Socket, response: ServerResponse): void {
    const others = this.#waiting.get(socket)
    const waiting = others ?? new Set()
    waiting.add(response)
    response.once('close', () => waiting.delete(response))
    if (others) return
    this.#waiting.set(socket, waiting)
    socket.once('close', () => {
      for (const each of waiting) {
        // Node closes the one whose turn it is.
        if (each.socket !== null || each.closed) continue
        each.destroy()
        each.emit('close')
      }
    })
  }
}

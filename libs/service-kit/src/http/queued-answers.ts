import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Tells answers that wait for those to earlier requests of their connection that it has ended: Node tells it only the one that
 * has its turn, so that whatever awaits the end of the others would stay for good.
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
        // The one that has its turn is told by Node.
        if (each.socket !== null || each.closed) continue
        each.destroy()
        each.emit('close')
      }
    })
  }
}

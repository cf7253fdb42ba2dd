import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Answers whose turn hadn't come when their request came, by connection. */
const queuedOn = new WeakMap<Socket, Set<ServerResponse>>()

/** Whether a connection has requests behind the one that is being answered, if its server watches them. */
export const hasQueuedAnswers = (socket: Socket): boolean =>
  [...(queuedOn.get(socket) ?? [])].some((response) => response.socket === null && !response.closed)

/**
 * Watches an answer whose turn hasn't come, and emits `close` on it when its connection has ended. Node does so only for the answer
 * whose turn it is, so listeners of the others would wait forever.
 */
export function watchQueuedAnswer(socket: Socket, response: ServerResponse): void {
  const others = queuedOn.get(socket)
  const waiting = others ?? new Set()
  waiting.add(response)
  response.once('close', () => waiting.delete(response))
  if (others) return
  queuedOn.set(socket, waiting)
  socket.once('close', () => {
    for (const each of waiting) {
      // Node closes the one whose turn it is.
      if (each.socket !== null || each.closed) continue
      each.destroy()
      each.emit('close')
    }
  })
}

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { hasQueuedAnswers } from './queued-answers.ts'

/** The listener that Node's HTTP server adds to a connection for each event. Those of TLS have other names. */
const OF_HTTP = {
  close: 'bound socketOnClose',
  end: 'bound socketOnEnd',
  data: 'bound socketOnData',
  drain: 'bound socketOnDrain',
  error: 'socketOnError',
  timeout: 'socketOnTimeout',
  resume: 'onSocketResume',
  pause: 'onSocketPause',
}

/**
 * Takes the connection of an answer that hasn't begun away from Node's HTTP server, as an upgrade of the protocol does: the caller
 * writes the answer, with its head, and ends the connection. Request, response and parser are released, which for an answer of hours
 * are most of what its client costs. What the client still sends is dropped; when it ends its side, the connection ends. The response
 * emits `close` at once, the connection when it has closed.
 *
 * Null, and nothing has changed, if the connection has another request to answer, this one hasn't come in full, or the server isn't
 * Node's own. A connection over which nothing moves is still ended after the server's timeout.
 */
export function takeConnection(response: ServerResponse): Socket | null {
  const { socket, req } = response
  const endHttp = socket?.listeners('close').find(({ name }) => name === OF_HTTP.close)
  if (!socket || !endHttp || response.headersSent || socket.destroyed || !req.complete) return null
  if (hasQueuedAnswers(socket)) return null
  const { timeout = 0 } = socket
  // The server forgets request and response, as after an answer.
  response.emit('finish')
  // It releases the parser, as after the connection.
  endHttp.call(socket)
  for (const [event, name] of Object.entries(OF_HTTP))
    for (const listener of socket.listeners(event) as (() => void)[])
      if (listener.name === name) socket.off(event, listener)
  socket.setTimeout(timeout)
  socket.on('error', ignore).on('end', endWritten).on('timeout', destroy).resume()
  return socket
}

/** The connection closes then. */
function ignore(): void {}

function destroy(this: Socket): void {
  this.destroy()
}

function endWritten(this: Socket): void {
  this.destroySoon()
}

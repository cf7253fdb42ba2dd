import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { hasQueuedAnswers } from './queued-answers.ts'

/** Of further requests, which a client may pipeline and which nobody will answer: unlimited, it could keep us reading. */
const MAX_RECEIVED = 16 * 1024

/** The listener that Node's HTTP server adds to a connection for each event. Those of TLS have other names. */
const HTTP_LISTENERS = {
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
 * are most of what its client costs. What the client still sends is dropped; after 16 KiB of it the client is cut off, and `onCutOff` called.
 * When it ends its side, the connection ends. The response emits `close` at once, the connection when it has closed.
 *
 * Null, and nothing has changed, if the connection has another request to answer, this one hasn't come in full, or the connection
 * isn't that of Node's own server as we know it. A connection over which nothing moves is still ended after the server's timeout.
 */
export function takeConnection(response: ServerResponse, onCutOff = () => {}): Socket | null {
  const { socket, req } = response
  if (!socket || response.headersSent || socket.destroyed || !req.complete) return null
  const listeners = listenersOfHttp(socket)
  if (listeners === null || hasQueuedAnswers(socket)) return null
  const { timeout = 0 } = socket
  // The server forgets request and response, as after an answer.
  response.emit('finish')
  // It releases the parser, as after the connection.
  listeners.close.call(socket)
  for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener)
  socket.setTimeout(timeout)
  let received = 0
  const limitReceived = (chunk: Buffer): void => {
    received += chunk.length
    if (received <= MAX_RECEIVED || socket.destroyed) return
    onCutOff()
    socket.destroy()
  }
  socket
    .on('data', limitReceived)
    .on('error', ignore)
    .on('end', endAfterWrites)
    .on('timeout', destroy)
    .resume()
  return socket
}

type Listeners = Record<keyof typeof HTTP_LISTENERS, () => void>

/** Null if one is missing. */
function listenersOfHttp(socket: Socket): Listeners | null {
  const found: Partial<Listeners> = {}
  for (const [event, name] of Object.entries(HTTP_LISTENERS) as [keyof Listeners, string][]) {
    const listener = socket.listeners(event).find((one) => one.name === name)
    if (!listener) return null
    found[event] = listener as () => void
  }
  return found as Listeners
}

/** `close` follows each error. */
function ignore(): void {}

function destroy(this: Socket): void {
  this.destroy()
}

function endAfterWrites(this: Socket): void {
  this.destroySoon()
}

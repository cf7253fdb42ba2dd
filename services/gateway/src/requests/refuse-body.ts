import type { IncomingMessage } from 'node:http'
import { limits } from '@tms/contracts'
import { bodyTooLarge, errorReplyOf, tooLargeFor } from '@tms/service-kit'
import type { Call } from './call.ts'
import { setCommonHeaders } from './response-headers.ts'

/**
 * How long the rest of a refused body is read and dropped. A client that is still sending would otherwise see a
 * broken connection instead of the answer.
 */
const LINGER_MS = 5_000

/** Answers that the body, or the file in it, is too large, once the client has sent its body, or has had the time to. */
export function refuseBody(call: Call): void {
  const { request, response } = call
  let isDone = false
  const reply = () => {
    clearTimeout(timer)
    if (isDone || response.headersSent || response.destroyed) return
    isDone = true
    setCommonHeaders(call)
    const { endpoint } = call
    const error = endpoint ? tooLargeFor(endpoint) : bodyTooLarge(limits.maxRequestBodyBytes)
    errorReplyOf(endpoint?.answer)(response, error)
  }
  const timer = setTimeout(reply, LINGER_MS)
  request.once('end', reply)
  request.once('close', reply)
  request.removeAllListeners('data')
  request.resume()
}

/** Reads and drops the rest of a request that was answered before all of it came, for a limited time. */
export function endRestOf(request: IncomingMessage): void {
  const { socket } = request
  if (request.complete || socket.destroyed) return
  const timer = setTimeout(() => request.complete || socket.destroy(), LINGER_MS)
  // Once all of it has come, the connection is free for the next request.
  const forget = () => clearTimeout(timer)
  request.once('end', forget).once('close', forget)
}

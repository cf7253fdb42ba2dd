import type { IncomingMessage } from 'node:http'
import { type AppError, badRequest } from '@tms/contracts'

/**
 * Calls `listener` once, with the refusal, when the request is gone before all of it was read: at once where it is gone
 * already, since nothing more would be heard of it.
 */
export function onCutOff(request: IncomingMessage, listener: (refusal: AppError) => void): void {
  const check = () => {
    // Not by `complete` alone: what came whole, and waited to be read, is dropped when the client leaves.
    if (!request.readableEnded) listener(badRequest('The request was cut off'))
  }
  if (request.closed) check()
  else request.once('close', check)
}

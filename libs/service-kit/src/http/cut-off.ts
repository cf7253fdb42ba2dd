import type { IncomingMessage } from 'node:http'
import { type AppError, badRequest } from '@tms/contracts'

/**
 * Calls `listener` once, with an error, if the client disconnects before the request was read completely; at once if
 * it has disconnected already, since no further event would come.
 */
export function onCutOff(request: IncomingMessage, listener: (refusal: AppError) => void): void {
  const check = () => {
    // `complete` isn't enough: a body that arrived whole but wasn't read is dropped when the client leaves.
    if (!request.readableEnded) listener(badRequest('The request was cut off'))
  }
  if (request.closed) check()
  else request.once('close', check)
}

import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { type AppError, badRequest } from '@tms/contracts'
import { onCutOff } from './cut-off.ts'

/**
 * Streams the bytes of a body to `consume`, which must read them to the end. If the client leaves, the stream ends early
 * with what arrived until then. Rejects with BAD_REQUEST if there are more than `maxBytes`.
 */
export type ReceiveBytes = <T>(maxBytes: number, consume: (stream: Readable) => Promise<T>) => Promise<T>

/** A receiver for `request`. */
export function bytesReceiver(request: IncomingMessage): ReceiveBytes {
  return async (maxBytes, consume) => {
    let received = 0
    let refusal: AppError | null = null
    const counted = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        received += chunk.length
        if (received > maxBytes)
          refusal = badRequest(`The body is longer than ${maxBytes} bytes, which is all that is expected`)
        done(refusal, chunk)
      },
    })
    counted.on('error', () => request.unpipe(counted))
    request.pipe(counted)
    onCutOff(request, () => counted.end())
    try {
      return await consume(counted)
    } catch (err) {
      // A store may report its own error instead.
      throw refusal ?? err
    }
  }
}

export function hasNoBytes(): Promise<never> {
  throw new Error('the endpoint takes no bytes')
}

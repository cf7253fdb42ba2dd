import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { bytesReceiver } from './receive-bytes.ts'

/** A request of which `text` has arrived. */
function requestWith(text: string): PassThrough {
  const request = new PassThrough()
  request.write(text)
  return request
}
const receive = (request: PassThrough, maxBytes: number): Promise<string> =>
  bytesReceiver(request as unknown as IncomingMessage)(maxBytes, async (stream: Readable) =>
    String(await buffer(stream)),
  )

describe('the bytes of a body', () => {
  test('are streamed to their end', async () => {
    const request = requestWith('0123')
    const received = receive(request, 5)
    request.end('4')
    expect(await received).toBe('01234')
  })

  test('end where the client left', async () => {
    const request = requestWith('0123')
    const received = receive(request, 10)
    request.destroy()
    await once(request, 'close')
    expect(await received).toBe('0123')
  })

  test('are refused if there are too many', async () => {
    const request = requestWith('0123')
    const received = receive(request, 3)
    request.end()
    await expect(received).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })
})

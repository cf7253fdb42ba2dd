import { once } from 'node:events'
import { type ClientRequest, createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { onCutOff } from './cut-off.ts'
import { readBodyFields } from './form.ts'

const CUT_OFF = { code: 'BAD_REQUEST', message: 'The request was cut off' }

let server: Server
beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** A request of which this part has arrived; unless it is complete, more is announced. */
async function begin(
  text: string,
  { isAll = false, type = 'application/x-www-form-urlencoded' } = {},
): Promise<{ outgoing: ClientRequest; incoming: IncomingMessage }> {
  const { port } = server.address() as AddressInfo
  const length = isAll ? text.length : text.length + 1
  const headers = { 'content-type': type, 'content-length': length }
  const outgoing = request({ port, host: '127.0.0.1', method: 'POST', headers })
  outgoing.on('error', () => {})
  outgoing.write(text)
  const [incoming] = await once(server, 'request')
  return { outgoing, incoming }
}

const closed = (incoming: IncomingMessage) => new Promise<void>((resolve) => incoming.on('close', resolve))

describe('a request', () => {
  test('that is cut off is reported once', async () => {
    const { outgoing, incoming } = await begin('a')
    const reported: unknown[] = []
    onCutOff(incoming, (refusal) => reported.push(refusal))
    incoming.resume()
    outgoing.destroy()
    await closed(incoming)

    expect(reported).toEqual([expect.objectContaining(CUT_OFF)])
  })

  test('that arrived whole and was read is not reported', async () => {
    const reported: unknown[] = []
    for (const isRead of [true, false]) {
      const { outgoing, incoming } = await begin('a', { isAll: true })
      onCutOff(incoming, () => reported.push(isRead))
      const isClosed = closed(incoming)
      if (isRead) await once(incoming.resume(), 'end')
      else while (!incoming.complete) await turn()
      outgoing.destroy()
      await isClosed
    }

    expect(reported).toEqual([false])
  })

  test('that was cut off before the handler was added is reported, too', async () => {
    const { outgoing, incoming } = await begin('a')
    outgoing.destroy()
    await closed(incoming)
    const reported: unknown[] = []
    onCutOff(incoming, (refusal) => reported.push(refusal))

    expect(reported).toEqual([expect.objectContaining(CUT_OFF)])
  })
})

describe('a body that is cut off', () => {
  test.each([
    ['application/x-www-form-urlencoded', 'a=1'],
    ['multipart/form-data; boundary=b', '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1'],
  ])('is refused for %s', async (type, text) => {
    const { outgoing, incoming } = await begin(text, { type })
    const fields = readBodyFields(incoming, new Map(), { takesPicture: false })
    incoming.once('data', () => outgoing.destroy())

    await expect(fields).rejects.toMatchObject(CUT_OFF)
  })
})

import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createWebhookClient } from './post-to-webhook.ts'
import { createPublicLookup } from './public-lookup.ts'

let server: Server
let respond: RequestListener
let connections: number
beforeEach(async () => {
  respond = (_request, response) => response.end('{}')
  connections = 0
  server = createServer((request, response) => respond(request, response))
  server.on('connection', () => connections++)
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => {
  server.close()
  server.closeAllConnections()
})

const portOf = () => (server.address() as AddressInfo).port
const requestTo = (host: string) => ({
  url: `http://${host}:${portOf()}/hook`,
  body: '{"data":"ä"}',
  contentType: 'application/json',
  deliveryId: 'a-b-c',
})
const client = (options: Partial<Parameters<typeof createWebhookClient>[0]> = {}) =>
  createWebhookClient({ allowsPrivate: true, tls: {}, ...options })
/** A name that leads where this says. */
const leadsTo = (...addresses: string[]) =>
  createPublicLookup(async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  )

describe('calling an outgoing webhook', () => {
  test('sends the request and gives the answer', async () => {
    let got: unknown
    respond = async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      got = { method: request.method, url: request.url, headers: request.headers, body }
      response.writeHead(201).end('{"content":"ö"}')
    }

    expect(await client()(requestTo('127.0.0.1'))).toEqual({ status: 201, body: '{"content":"ö"}' })
    expect(got).toMatchObject({
      method: 'POST',
      url: '/hook',
      body: '{"data":"ä"}',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'a-b-c', 'content-length': '13' },
    })
  })

  test('follows no redirection', async () => {
    respond = (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end()

    expect(await client()(requestTo('127.0.0.1'))).toMatchObject({ status: 302 })
    expect(connections).toBe(1)
  })

  test('waits for so long, also for the rest of an answer that has begun', async () => {
    const post = client({ timeoutMs: 200 })
    const late = { message: 'it did not answer within 0.2 seconds', mayPass: true }

    respond = () => {}
    await expect(post(requestTo('127.0.0.1'))).rejects.toMatchObject(late)
    respond = (_request, response) => response.write('{')
    await expect(post(requestTo('127.0.0.1'))).rejects.toMatchObject(late)
  })

  test('reads so much', async () => {
    respond = (_request, response) => response.end('x'.repeat(128 * 1024 + 1))

    await expect(client()(requestTo('127.0.0.1'))).rejects.toMatchObject({
      message: 'its answer has more than 128 KiB',
      mayPass: false,
    })
  })

  test('may be tried again where nobody answers', async () => {
    respond = (request) => request.destroy()
    await expect(client()(requestTo('127.0.0.1'))).rejects.toMatchObject({
      message: 'it could not be reached (ECONNRESET)',
      mayPass: true,
    })
  })

  test.each(['127.0.0.1', 'localhost', '[::1]', '2130706433'])(
    'connects to nothing private: %s',
    async (host) => {
      await expect(client({ allowsPrivate: false })(requestTo(host))).rejects.toMatchObject({
        message: 'its URL leads to a local or private address, which webhooks must not call',
        mayPass: false,
      })
      expect(connections).toBe(0)
    },
  )

  test.each([['127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['93.184.216.34', '127.0.0.1']])(
    'connects to nothing private by a name that leads to %s',
    async (...addresses) => {
      const post = client({ allowsPrivate: false, lookup: leadsTo(...addresses) })

      await expect(post(requestTo('hook.example.com'))).rejects.toMatchObject({
        message: expect.stringContaining('local or private address'),
        mayPass: false,
      })
      expect(connections).toBe(0)
    },
  )

  test('may be tried again where a name is not found', async () => {
    const lookup = createPublicLookup(() =>
      Promise.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' })),
    )
    const post = client({ allowsPrivate: false, lookup })

    await expect(post(requestTo('hook.example.com'))).rejects.toMatchObject({
      message: 'it could not be reached (ENOTFOUND)',
      mayPass: true,
    })
  })
})

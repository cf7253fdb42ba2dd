import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPublicLookup } from '@tms/service-kit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createWebhookClient } from './post-to-webhook.ts'

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
  headers: { 'idempotency-key': 'a-b-c' },
})
const client = (options: Partial<Parameters<typeof createWebhookClient>[0]> = {}) =>
  createWebhookClient({ allowsPrivate: true, tls: {}, ...options })
/** A host name that resolves to these addresses. */
const resolvesTo = (...addresses: string[]) =>
  createPublicLookup(async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  )

describe('calling an outgoing webhook', () => {
  test('sends the request and returns the answer', async () => {
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

  test('does not follow redirects', async () => {
    respond = (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end()

    expect(await client()(requestTo('127.0.0.1'))).toMatchObject({ status: 302 })
    expect(connections).toBe(1)
  })

  test('times out, also while an answer is arriving', async () => {
    const post = client({ timeoutMs: 200 })
    const late = { message: 'it did not answer within 0.2 seconds', isTransient: true }

    respond = () => {}
    await expect(post(requestTo('127.0.0.1'))).rejects.toMatchObject(late)
    respond = (_request, response) => response.write('{')
    await expect(post(requestTo('127.0.0.1'))).rejects.toMatchObject(late)
  })

  test('rejects an answer that is too large', async () => {
    respond = (_request, response) => response.end('x'.repeat(128 * 1024 + 1))

    await expect(client()(requestTo('127.0.0.1'))).rejects.toMatchObject({
      message: 'its answer has more than 128 KiB',
      isTransient: false,
    })
  })

  test('fails transiently if the server doesn’t answer', async () => {
    respond = (request) => request.destroy()
    await expect(client()(requestTo('127.0.0.1'))).rejects.toMatchObject({
      message: 'it could not be reached (ECONNRESET)',
      isTransient: true,
    })
  })

  test.each(['127.0.0.1', 'localhost', '[::1]', '2130706433'])('refuses a private host: %s', async (host) => {
    await expect(client({ allowsPrivate: false })(requestTo(host))).rejects.toMatchObject({
      message: 'its URL leads to a local or private address, which webhooks must not call',
      isTransient: false,
    })
    expect(connections).toBe(0)
  })

  test.each([['127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['93.184.216.34', '127.0.0.1']])(
    'refuses a name that resolves to the private address %s',
    async (...addresses) => {
      const post = client({ allowsPrivate: false, lookup: resolvesTo(...addresses) })

      await expect(post(requestTo('hook.example.com'))).rejects.toMatchObject({
        message: expect.stringContaining('local or private address'),
        isTransient: false,
      })
      expect(connections).toBe(0)
    },
  )

  test('fails transiently if the name can’t be resolved', async () => {
    const lookup = createPublicLookup(() =>
      Promise.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' })),
    )
    const post = client({ allowsPrivate: false, lookup })

    await expect(post(requestTo('hook.example.com'))).rejects.toMatchObject({
      message: 'it could not be reached (ENOTFOUND)',
      isTransient: true,
    })
  })
})

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingHttpHeaders, request, type ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { createGzip, gunzipSync, gzipSync } from 'node:zlib'
import { gatewayHeaders } from '@tms/contracts'
import { describe, expect } from 'vitest'
import type { FakeRequestLink } from '../../test/fake-request-link.ts'
import { authorization, reply, test, until } from '../../test/start-gateway.ts'
import { AnswerCoding } from './answer-coding.ts'

const LIST = '/api/v1/realm/linkifiers'
/** Never goes over a link. */
const BY_HTTP = '/api/v1/register'
const long = { names: Array.from({ length: 2_000 }, (_, i) => `Müller ${i}`) }
const expected = { result: 'success', ...long }

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Sends a request and receives its answer as it is on the wire. */
function send(
  url: string,
  method: string,
  accepted?: string,
  onHeaders: (headers: IncomingHttpHeaders) => void = () => {},
): Promise<Received> {
  const headers = { authorization, ...(accepted !== undefined && { 'accept-encoding': accepted }) }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (answer) => {
      onHeaders(answer.headers)
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () => resolve({ headers: answer.headers, body: Buffer.concat(parts) }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** Answers register as its service does if the state is compressed; `end` comes after half of that. */
function replyGzipped(response: ServerResponse, end: (rest: Buffer) => void): void {
  const zipped = gzipSync(JSON.stringify(expected))
  const headers = {
    ...{ 'content-type': 'application/json', 'content-encoding': 'gzip', vary: 'accept-encoding' },
    [gatewayHeaders.inflatedLength]: Buffer.byteLength(JSON.stringify(expected)),
  }
  response.writeHead(200, headers)
  response.write(zipped.subarray(0, zipped.length / 2), () => end(zipped.subarray(zipped.length / 2)))
}

describe.concurrent('an answer that its service has compressed', () => {
  test('is passed on as it is to clients that accept it, and inflated for others', async ({
    startGateway,
  }) => {
    const { url, events, events2 } = await startGateway()
    for (const one of [events, events2])
      one.answer = (_incoming, response) => replyGzipped(response, (rest) => void response.end(rest))

    const compressed = await send(url + BY_HTTP, 'POST', 'gzip, deflate')
    const plain = await send(url + BY_HTTP, 'POST', 'br')

    expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(compressed.body).toEqual(gzipSync(JSON.stringify(expected)))
    expect(plain.headers).toMatchObject({ 'content-type': 'application/json', vary: 'accept-encoding' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(Number(plain.headers['content-length'])).toBe(plain.body.length)
    expect(JSON.parse(plain.body.toString())).toEqual(expected)
    for (const { headers } of [compressed, plain])
      expect(headers[gatewayHeaders.inflatedLength]).toBeUndefined()
  })

  test.for([
    ['breaks off', (response: ServerResponse) => response.destroy()],
    ['ends too early', (response: ServerResponse) => response.end()],
    ['is damaged', (response: ServerResponse) => response.end(randomBytes(3_000))],
  ] as const)(
    'breaks off for a client that wants it inflated, when it %s',
    async ([, end], { startGateway }) => {
      const { url, events, events2 } = await startGateway()
      for (const one of [events, events2])
        one.answer = (_incoming, response) => replyGzipped(response, () => void end(response))

      await expect(send(url + BY_HTTP, 'POST')).rejects.toThrow('aborted')
    },
  )

  test('is asked for only where it may come', async ({ startGateway }) => {
    const { url, events, events2 } = await startGateway()
    const asked: unknown[] = []
    for (const one of [events, events2])
      one.answer = ({ headers }, response) => {
        asked.push(headers[gatewayHeaders.takesGzip])
        reply(response, 200, {})
      }

    await send(url + BY_HTTP, 'POST')
    await send(`${url}/api/v1/events?queue_id=x`, 'DELETE')

    expect(asked).toEqual(['true', undefined])
  })
})

describe.concurrent('a long answer', () => {
  test('is compressed for clients that accept it, and for no others', async ({ startGateway }) => {
    const { url, events, events2 } = await startGateway()
    for (const one of [events, events2]) one.answer = (_incoming, response) => reply(response, 200, long)

    const compressed = await send(url + BY_HTTP, 'POST', 'gzip, deflate')
    const plain = await send(url + BY_HTTP, 'POST')

    expect(compressed.headers).toMatchObject({
      ...{ 'content-encoding': 'gzip', vary: 'accept-encoding', 'content-type': 'application/json' },
      'x-request-id': expect.any(String),
    })
    expect(compressed.headers['content-length']).toBeUndefined()
    expect(JSON.parse(gunzipSync(compressed.body).toString())).toEqual(expected)
    expect(compressed.body.length).toBeLessThan(plain.body.length / 3)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(Number(plain.headers['content-length'])).toBe(plain.body.length)
    expect(JSON.parse(plain.body.toString())).toEqual(expected)
  })

  test('is compressed if it comes over a link, whole or in parts', async ({ startGateway }) => {
    const { url, realm } = await startGateway()
    const links: FakeRequestLink[] = []
    realm.onRequestLink = (opened) => void links.push(opened)
    await fetch(url + LIST, { headers: { authorization } })
    await until(() => links.length === 1)
    const link = links[0] as FakeRequestLink
    const text = JSON.stringify(expected)
    const headers = ['content-type', 'application/json', 'content-length', `${Buffer.byteLength(text)}`]
    const pending = [send(url + LIST, 'GET', 'gzip'), send(url + LIST, 'GET', 'gzip')]
    await until(() => link.requests.length === 2)
    const [first = 0, second = 0] = link.requests.map(({ number }) => number)

    link.send({ answers: [[first, 200, headers, true]] }, [text])
    link.send({ answers: [[second, 200, headers, false]] }, [text.slice(0, 9_000)])
    await until(() => link.wanted.length === 1)
    link.send({ parts: [[second, true]] }, [text.slice(9_000)])

    for (const { headers: received, body } of await Promise.all(pending)) {
      expect(received['content-encoding']).toBe('gzip')
      expect(gunzipSync(body).toString()).toBe(text)
    }
  })

  test('breaks off for its client when it does for the gateway', async ({ startGateway }) => {
    const { url, events, events2 } = await startGateway()
    for (const one of [events, events2])
      one.answer = (_incoming, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000_000 })
        response.write(randomBytes(300_000).toString('base64'), () => response.destroy())
      }

    const begun: IncomingHttpHeaders[] = []
    await expect(send(url + BY_HTTP, 'POST', 'gzip', (headers) => begun.push(headers))).rejects.toThrow(
      'aborted',
    )
    expect(begun).toMatchObject([{ 'content-encoding': 'gzip' }])
  })

  test.for([
    ['compressed', { accepted: 'gzip', isGzipped: false }],
    ['passed on', { accepted: 'gzip', isGzipped: true }],
    ['inflated', { accepted: 'identity', isGzipped: true }],
  ] as const)(
    'that is %s is read from its service at the pace of its client, who is disconnected for reading nothing',
    async ([, { accepted, isGzipped }], { startGateway }) => {
      const gateway = await startGateway({}, { ANSWER_TIMEOUT_SECONDS: '1', MIN_BYTES_PER_SECOND: '200' })
      const part = randomBytes(48_000).toString('base64')
      let written = 0
      let encoding: string | undefined
      const left = new Promise<void>((resolve) => {
        for (const one of [gateway.events, gateway.events2])
          one.answer = (_incoming, response) => {
            const output = isGzipped ? createGzip() : response
            const write = () => {
              do written += part.length
              while (output.write(part))
            }
            output.on('drain', write)
            response.on('close', () => {
              output.destroy()
              resolve()
            })
            const headers = isGzipped ? { 'content-encoding': 'gzip' } : { 'content-length': 2 ** 30 }
            response.writeHead(200, { 'content-type': 'application/json', ...headers })
            if (output !== response) output.pipe(response)
            write()
          }
      })

      const headers = { authorization, 'accept-encoding': accepted }
      const client = request(gateway.url + BY_HTTP, { method: 'POST', headers, agent: false }, (answer) => {
        encoding = answer.headers['content-encoding']
        answer.on('error', () => {}).pause()
      })
      client.end()
      await left
      client.destroy()

      expect(encoding).toBe(accepted === 'gzip' ? 'gzip' : undefined)
      // What the system's buffers of three connections have, and nothing of the rest.
      expect(written).toBeLessThan(2 ** 26)
      const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
      expect(metrics).toMatch(/gateway_clients_refused_total\{reason="slow_reader".*\} 1/)
    },
  )
})

test('64 answers are compressed at once, and the next when one of them has ended or its client has left', async () => {
  const coding = new AnswerCoding()
  const callbacks = { onBytes: () => {}, onError: () => {} }
  const responses = Array.from({ length: 64 }, () => new PassThrough().resume())
  const outputs = responses.map((response) => {
    expect(coding.hasSpaceFor('gzip')).toBe(true)
    return coding.begin(response as unknown as ServerResponse, 'gzip', callbacks)
  })
  expect(coding.hasSpaceFor('gzip')).toBe(false)

  const [first, second] = responses.map((response) => once(response, 'close'))
  outputs[0]?.end('{}')
  await first
  expect(coding.hasSpaceFor('gzip')).toBe(true)
  coding.begin(new PassThrough() as unknown as ServerResponse, 'gzip', callbacks)
  expect(coding.hasSpaceFor('gzip')).toBe(false)
  responses[1]?.destroy()
  await second
  expect(coding.hasSpaceFor('gzip')).toBe(true)
  expect(outputs.slice(0, 3).map(({ destroyed }) => destroyed)).toEqual([true, true, false])
})

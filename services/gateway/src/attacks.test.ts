import { once } from 'node:events'
import { describe, expect } from 'vitest'
import { answersIn, drip, openRaw } from '../test/raw-client.ts'
import { type Answer, authorization, reply, test, until } from '../test/start-gateway.ts'

const HEAD = `Host: x\r\nAuthorization: ${authorization}\r\n`
const FORM = `${HEAD}Content-Type: application/x-www-form-urlencoded\r\n`
const refusal = (status: number, code: string) => ({
  status,
  body: { result: 'error', code, msg: expect.any(String) },
})

/** A metric of the gateway; a counter without counts is 0. */
async function metric(url: string, name: string, label = ''): Promise<number> {
  const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n')
  const line = lines.find((each) => each.startsWith(name) && each.includes(label))
  return Number(line?.split(' ').at(-1) ?? 0)
}

/** Nothing of the attack is left; the request for metrics has a connection, too. */
async function expectNothingHeld(url: string): Promise<void> {
  let connections = Number.POSITIVE_INFINITY
  while (connections > 2) connections = await metric(url, 'gateway_connections')
}

const onceRead: Answer = (incoming, response) => {
  incoming.resume().once('end', () => reply(response, 200, {}))
}

async function expectServed(url: string): Promise<void> {
  const answer = await fetch(`${url}/api/v1/messages`, { headers: { authorization } })
  expect(answer.status).toBe(200)
}

describe.concurrent('a slow client', () => {
  const impatient = { ANSWER_TIMEOUT_SECONDS: '1', MIN_BYTES_PER_SECOND: '200' }

  test('is disconnected if its headers never end or never begin, while others are served', async ({
    startGateway,
  }) => {
    const { url } = await startGateway({}, { HEADERS_TIMEOUT_SECONDS: '1' })
    const silent = Array.from({ length: 50 }, () => openRaw(url))
    const slow = Array.from({ length: 50 }, () => openRaw(url, 'GET /api/v1/messages HTTP/1.1\r\n'))
    for (const client of slow) drip(client, 'x-more: 1\r\n', 50)

    await expectServed(url)
    const [answer = ''] = await Promise.all(slow.map(({ ended }) => ended))
    await Promise.all(silent.map(({ ended }) => ended))

    expect(answersIn(answer)).toEqual([refusal(400, 'BAD_REQUEST')])
    expect(await metric(url, 'gateway_clients_refused_total', 'slow_request')).toBe(100)
    await expectNothingHeld(url)
  })

  test('is refused if its body never ends, as fields or as a file', async ({ startGateway }) => {
    const { url, messaging, messaging2 } = await startGateway({}, impatient)
    messaging.answer = messaging2.answer = onceRead
    const length = 'Content-Length: 100000\r\nConnection: close\r\n\r\n'
    const fields = openRaw(url, `POST /api/v1/messages HTTP/1.1\r\n${FORM}${length}a=`)
    const file = openRaw(
      url,
      `POST /api/v1/user_uploads HTTP/1.1\r\n${HEAD}Content-Type: multipart/form-data; boundary=b\r\n${length}`,
    )
    for (const client of [fields, file]) drip(client, 'x', 50)

    for (const { ended } of [fields, file])
      expect(answersIn(await ended)).toEqual([refusal(400, 'BAD_REQUEST')])
    await expectNothingHeld(url)
  })

  test('may send a file for longer if it is fast enough', async ({ startGateway }) => {
    const { url, messaging, messaging2 } = await startGateway({}, impatient)
    messaging.answer = messaging2.answer = onceRead
    const client = openRaw(
      url,
      `POST /api/v1/user_uploads HTTP/1.1\r\n${HEAD}Content-Type: multipart/form-data; boundary=b\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )
    const stop = drip(client, `200\r\n${'x'.repeat(512)}\r\n`, 100)
    const longEnough = performance.now() + 3_000
    await until(() => performance.now() > longEnough)
    stop()
    client.socket.write('0\r\n\r\n')

    expect(answersIn(await client.ended)).toEqual([{ status: 200, body: { result: 'success' } }])
  })

  test('is disconnected if it continues a body that was refused', async ({ startGateway }) => {
    const { url } = await startGateway()
    const client = openRaw(
      url,
      `POST /api/v1/messages HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )
    drip(client, '1\r\nx\r\n', 20)

    expect(answersIn(await client.ended)).toEqual([refusal(401, 'UNAUTHORIZED')])
    await expectNothingHeld(url)
  })

  test('keeps its connection if the rest of a refused body comes late', async ({ startGateway }) => {
    const { url } = await startGateway()
    const client = openRaw(url, 'POST /api/v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n')
    await until(() => client.received.endsWith('}'))
    client.socket.write('xx')
    const lateEnough = performance.now() + 2_500
    await until(() => performance.now() > lateEnough)
    client.socket.write(`GET /api/v1/messages HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`)

    const statuses = answersIn(await client.ended).map(({ status }) => status)
    expect(statuses).toEqual([401, 200])
  })

  test('is disconnected if it does not read its answer, of which the gateway buffers little', async ({
    startGateway,
  }) => {
    const { url, messaging, messaging2 } = await startGateway({}, impatient)
    const piece = Buffer.alloc(64 * 1024, 'x')
    const size = 64 * 1024 * 1024
    let sent = 0
    let isFreed = false
    messaging.answer = messaging2.answer = (_incoming, response) => {
      response.once('close', () => {
        isFreed = true
      })
      response.writeHead(200, { 'content-length': size })
      const write = () => {
        while (sent < size) {
          sent += piece.length
          if (!response.write(piece)) return response.once('drain', write)
        }
        return response.end()
      }
      write()
    }
    const client = openRaw(url, `GET /api/v1/messages HTTP/1.1\r\n${HEAD}\r\n`)
    client.socket.pause()

    await until(() => isFreed)
    client.socket.resume()
    await client.ended

    // The sent bytes are in the system's buffers of both connections.
    expect(sent).toBeLessThan(size)
    expect(await metric(url, 'gateway_clients_refused_total', 'slow_reader')).toBe(1)
    await expectNothingHeld(url)
  })
})

describe.concurrent('a client that sends too much', () => {
  test.for<[string, string, number]>([
    ['100,000 headers', `GET /api/v1/messages HTTP/1.1\r\n${HEAD}${'a:b\r\n'.repeat(100_000)}\r\n`, 431],
    ['101 headers', `GET /api/v1/messages HTTP/1.1\r\n${HEAD}${'a:b\r\n'.repeat(99)}\r\n`, 431],
    ['a header of 300 KB', `GET /api/v1/messages HTTP/1.1\r\n${HEAD}a:${'x'.repeat(300_000)}\r\n\r\n`, 431],
    ['a URL of 150 KB', `GET /api/v1/messages?a=${'x'.repeat(150_000)} HTTP/1.1\r\n${HEAD}\r\n`, 414],
  ])('gets an answer to %s', async ([, text, status], { startGateway }) => {
    const { url, messaging, messaging2 } = await startGateway()
    const client = openRaw(url, text)
    await until(() => client.received.endsWith('}'))
    client.socket.end()

    const code = status === 414 ? 'URL_TOO_LONG' : 'HEADERS_TOO_LARGE'
    expect(answersIn(await client.ended)).toEqual([refusal(status, code)])
    expect([...messaging.requestLines, ...messaging2.requestLines]).toEqual([])
  })

  test('is disconnected if its headers never end', async ({ startGateway }) => {
    const { url } = await startGateway()
    const client = openRaw(url, `GET /api/v1/messages HTTP/1.1\r\n`)
    const flood = () => {
      while (client.socket.writable && client.socket.write('a:b\r\n'.repeat(10_000)));
    }
    client.socket.on('drain', flood).once('connect', flood)

    expect(await client.ended).toMatch(/^HTTP\/1\.1 431 /)
    await expectNothingHeld(url)
  })

  test('has a limited number of pipelined requests in flight', async ({ startGateway }) => {
    const { url, messaging, messaging2 } = await startGateway({}, { MAX_PIPELINED_REQUESTS: '8' })
    const waiting: (() => void)[] = []
    messaging.answer = messaging2.answer = (_incoming, response) => {
      waiting.push(() => reply(response, 200, {}))
    }
    const client = openRaw(url, `GET /api/v1/messages HTTP/1.1\r\n${HEAD}\r\n`.repeat(500))
    await until(() => waiting.length === 8)
    for (const answer of waiting) answer()

    const answers = answersIn(await client.ended)
    expect(answers.slice(0, 9).map(({ status }) => status)).toEqual([...Array(8).fill(200), 429])
    expect(waiting).toHaveLength(8)
    await expectNothingHeld(url)
  })
})

describe.concurrent('a request with two contradicting lengths', () => {
  const hidden = `GET /api/v1/users/me HTTP/1.1\r\n${HEAD}\r\n`
  const chunked = `0\r\n\r\n${hidden}`
  const post = `POST /api/v1/messages HTTP/1.1\r\n${FORM}`

  test.for<[string, string]>([
    [
      'a length beside chunks',
      `${post}Content-Length: ${chunked.length}\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`,
    ],
    [
      'chunks beside a length',
      `${post}Transfer-Encoding: chunked\r\nContent-Length: ${chunked.length}\r\n\r\n${chunked}`,
    ],
    ['two lengths', `${post}Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`],
    ['a length with a sign', `${post}Content-Length: +${hidden.length}\r\n\r\n${hidden}`],
    ['chunks that are not last', `${post}Transfer-Encoding: chunked, identity\r\n\r\n${chunked}`],
    ['a space before the colon', `${post}Transfer-Encoding : chunked\r\n\r\n${chunked}`],
    ['a length of chunks with a sign', `${post}Transfer-Encoding: chunked\r\n\r\n+0\r\n\r\n${hidden}`],
    ['lines that end in LF alone', `${post}Transfer-Encoding: chunked\n\n${chunked}`],
    ['a folded header', `${post}X: y\r\n Transfer-Encoding: chunked\r\n\r\n${chunked}`],
  ])('cannot smuggle a second request: %s', async ([, text], { startGateway }) => {
    const { url, users } = await startGateway()
    const client = openRaw(url, text)
    const received = await client.ended

    expect(answersIn(received).at(-1)).toEqual(refusal(400, 'BAD_REQUEST'))
    expect(users.requestLines).not.toContain('GET /api/v1/users/me')
  })
})

test.concurrent('metrics are served to direct requests only, never through a proxy', async ({
  startGateway,
}) => {
  const { url } = await startGateway({}, { TRUST_PROXY: 'true' })
  const statusOf = async (path: string, headers: string) => {
    const received = await openRaw(
      url,
      `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`,
    ).ended
    return Number(received.slice(9, 12))
  }

  for (const path of ['/metrics', '/Metrics', '/metrics/', 'http://x/metrics']) {
    expect([path, await statusOf(path, '')]).toEqual([path, 200])
    expect([path, await statusOf(path, 'X-Forwarded-For: 8.8.8.8\r\n')]).toEqual([path, 404])
  }
})

// Not side by side with others, whose memory would count.
test('pages that clients do not read are buffered once, and not sent to clients that have them', async ({
  startGateway,
}) => {
  const { url } = await startGateway()
  const path = '/api/v1/openapi.json'
  const first = await fetch(url + path)
  const size = (await first.arrayBuffer()).byteLength
  const before = process.memoryUsage().arrayBuffers
  const clients = Array.from({ length: 40 }, () =>
    openRaw(url, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(16)),
  )
  for (const { socket } of clients) socket.once('data', () => socket.pause())
  await until(() => clients.every(({ received }) => received !== ''))

  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * size)
  expect(first.headers.get('cache-control')).toBe('public, max-age=3600')
  const known = `If-None-Match: ${first.headers.get('etag')}\r\nConnection: close\r\n\r\n`
  const { socket } = openRaw(url, `GET ${path} HTTP/1.1\r\nHost: x\r\n${known}`)
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 304 /)
  for (const client of clients) client.socket.destroy()
  await expectNothingHeld(url)
})

test.concurrent('a service does not wait for a body that was refused before it arrived', async ({
  startGateway,
}) => {
  const { url, users } = await startGateway()
  const identified = users.answer
  let isOver = false
  users.answer = (incoming, response) => {
    if (!incoming.url?.startsWith('/api/')) return identified(incoming, response)
    incoming.socket.once('close', () => (isOver = true))
    reply(response, 400, { result: 'error', code: 'BAD_REQUEST', msg: 'No' })
  }
  const client = openRaw(
    url,
    `POST /api/v1/users/me/avatar HTTP/1.1\r\n${HEAD}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000\r\n\r\nx`,
  )
  await until(() => client.received !== '')

  expect(answersIn(client.received)).toEqual([refusal(400, 'BAD_REQUEST')])
  await until(() => isOver)
  client.socket.destroy()
})

describe.concurrent('connections', () => {
  test('are refused in JSON above the limit of the gateway, except for health checks', async ({
    startGateway,
  }) => {
    const { url } = await startGateway({}, { MAX_CONNECTIONS: '10' })
    const others = Array.from({ length: 10 }, () => openRaw(url))
    const sendGet = (path: string) =>
      openRaw(url, `GET ${path} HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`).ended
    await until(() => others.every(({ socket }) => !socket.connecting))

    const refused = await sendGet('/api/v1/messages')
    expect(answersIn(refused)).toMatchObject([{ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } }])
    expect(refused).toMatch(/retry-after: \d/)
    expect(answersIn(await sendGet('/health/live'))).toMatchObject([{ status: 200 }])
    // A connection without a request gets no answer.
    expect(await openRaw(url).ended).toBe('')

    for (const { socket } of others) socket.destroy()
    let status = 503
    while (status === 503) status = answersIn(await sendGet('/api/v1/messages'))[0]?.status ?? 0
    expect(status).toBe(200)
  })

  test('are refused to an address above its limit', async ({ startGateway }) => {
    const { url } = await startGateway({}, { MAX_CONNECTIONS_PER_ADDRESS: '3' })
    const others = Array.from({ length: 3 }, () => openRaw(url))
    await until(() => others.every(({ socket }) => !socket.connecting))

    const [answer] = answersIn(await openRaw(url, `GET /api/v1/messages HTTP/1.1\r\n${HEAD}\r\n`).ended)

    expect(answer).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_HIT', 'retry-after': 5 } })
    for (const { socket } of others) socket.destroy()
  })

  test('behind proxies are counted by concurrent requests of each client', async ({ startGateway }) => {
    const { url, events, events2 } = await startGateway(
      {},
      { MAX_CONNECTIONS_PER_ADDRESS: '3', TRUST_PROXY: 'true', TRUSTED_PROXIES: '127.0.0.0/8, 10.0.0.0/8' },
    )
    let pendingPolls = 0
    events.answer = events2.answer = () => {
      pendingPolls++
    }
    const sendGet = (from: string, path: string) =>
      openRaw(
        url,
        `GET ${path} HTTP/1.1\r\n${HEAD}X-Forwarded-For: ${from}, 10.1.1.1\r\nConnection: close\r\n\r\n`,
      )
    const polls = Array.from({ length: 3 }, () => sendGet('8.8.8.8', '/api/v1/events?queue_id=q'))
    await until(() => pendingPolls === 3)

    const [busy] = answersIn(await sendGet('9.9.9.9, 8.8.8.8', '/api/v1/messages').ended)
    const [other] = answersIn(await sendGet('8.8.8.8, 9.9.9.9', '/api/v1/messages').ended)

    expect(busy?.status).toBe(429)
    expect(other?.status).toBe(200)
    for (const { socket } of polls) socket.destroy()
  })
})

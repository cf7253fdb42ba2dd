import type { Socket } from 'node:net'
import { createUserTokenVerifier, LEAVING_HEADER } from '@tms/service-kit'
import { describe, expect } from 'vitest'
import type { FakeRequestLink } from '../../test/fake-request-link.ts'
import { answersIn, openRaw } from '../../test/raw-client.ts'
import {
  authorization,
  type TestGateway,
  test,
  type Upstream,
  until,
  userKeys,
} from '../../test/start-gateway.ts'

const headers = { authorization }
const LIST = '/api/v1/realm/linkifiers'
const CHANGE = '/api/v1/realm/filters'

/** Opens a link to each of the replicas, all of one service, by requests at this path, which go by HTTP. */
async function linked(
  { url }: TestGateway,
  path: string,
  ...replicas: Upstream[]
): Promise<FakeRequestLink[]> {
  const links: FakeRequestLink[] = []
  for (const replica of replicas) replica.onRequestLink = (link) => void links.push(link)
  for (const _each of replicas) await fetch(url + path, { headers })
  await until(() => links.length === replicas.length)
  for (const { requestLines } of replicas) requestLines.length = 0
  return links
}

/** Opens a link to the one replica of realm. */
const linkedRealm = async (gateway: TestGateway) =>
  (await linked(gateway, LIST, gateway.realm))[0] as FakeRequestLink

/** Whether a link is one to the replica at this address. */
const isAt = (url: string, link: FakeRequestLink | undefined): boolean =>
  (link?.socket as Socket | undefined)?.localPort === Number(new URL(url).port)

/** Requests of clients that came by HTTP. */
const byHttp = ({ requestLines }: Upstream) => requestLines.filter((line) => line.includes('/api/'))

const post = (url: string, body: RequestInit['body'] = 'pattern=x', more: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers, ...more },
    ...{ body, duplex: 'half' },
  } as RequestInit)

describe.concurrent('requests over links', () => {
  test('have their caller, headers and body, and get an answer with the headers of every answer', async ({
    startGateway,
  }) => {
    const gateway = await startGateway()
    const link = await linkedRealm(gateway)
    const body = new URLSearchParams({ pattern: 'hällo' }).toString()
    const pending = post(gateway.url + CHANGE, body, { 'x-request-id': 'mine-1', 'idempotency-key': 'once' })
    await until(() => link.requests.length === 1)
    const [request] = link.requests

    link.answer(request, { id: 7 })

    const answer = await pending
    expect(await answer.json()).toEqual({ result: 'success', msg: '', id: 7 })
    expect(answer.headers.get('x-request-id')).toBe('mine-1')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(request).toMatchObject({ line: `POST ${CHANGE}`, body })
    expect(request?.headers).toMatchObject({
      ...{ 'x-request-id': 'mine-1', 'idempotency-key': 'once', 'x-forwarded-for': '127.0.0.1' },
      'content-type': 'application/x-www-form-urlencoded',
    })
    const token = String(request?.headers['authorization']).replace('Bearer ', '')
    expect(createUserTokenVerifier(userKeys.publicKey)(token)).toMatchObject({ userId: 11, realmId: 2 })
    expect(byHttp(gateway.realm)).toEqual([])
  })

  test('that come together share frames, and are answered in any order', async ({ startGateway }) => {
    const gateway = await startGateway()
    const link = await linkedRealm(gateway)
    const one = `GET ${LIST}?a=1 HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n`
    const client = openRaw(gateway.url, `${`${one}\r\n`.repeat(5)}${one}Connection: close\r\n\r\n`)
    await until(() => link.requests.length === 6)

    for (const [at, request] of [...link.requests].reverse().entries()) link.answer(request, { at })

    const order = answersIn(await client.ended).map(({ body }) => (body as { at: number }).at)
    expect(order).toEqual(Array.from({ length: 6 }, (_each, at) => 5 - at))
    expect(link.frames.length).toBeLessThan(4)
  })

  test('get a long answer in parts, each when the client has taken what came before', async ({
    startGateway,
  }) => {
    const gateway = await startGateway()
    const link = await linkedRealm(gateway)
    const pending = fetch(gateway.url + LIST, { headers })
    await until(() => link.requests.length === 1)
    const number = link.requests[0]?.number ?? 0
    const parts = ['{"a":"', 'ü'.repeat(60_000), '"}']

    link.send({ answers: [[number, 200, ['content-length', '120008'], false]] }, parts.slice(0, 1))
    await until(() => link.wanted.length === 1)
    link.send({ parts: [[number, false]] }, parts.slice(1, 2))
    await until(() => link.wanted.length === 2)
    link.send({ parts: [[number, true]] }, parts.slice(2))

    expect(await (await pending).text()).toBe(parts.join(''))
    expect(link.wanted).toEqual([number, number])
  })

  test('wait for a client that does not read, which is disconnected', async ({ startGateway }) => {
    const gateway = await startGateway({}, { ANSWER_TIMEOUT_SECONDS: '1', MIN_BYTES_PER_SECOND: '200' })
    const link = await linkedRealm(gateway)
    const client = openRaw(
      gateway.url,
      `GET ${LIST} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`,
    )
    client.socket.pause()
    await until(() => link.requests.length === 1)
    const number = link.requests[0]?.number ?? 0
    const part = 'x'.repeat(64 * 1024)
    let sent = 0
    const answering = setInterval(() => {
      if (link.wanted.length < sent) return
      if (sent === 0) link.send({ answers: [[number, 200, ['content-length', `${2 ** 30}`], false]] }, [part])
      else link.send({ parts: [[number, false]] }, [part])
      sent++
    }, 1)

    await until(() => link.cancelled.includes(number))
    clearInterval(answering)
    client.socket.destroy()

    // The rest is in the system's buffers of the client's connection.
    expect(sent - link.wanted.length).toBe(1)
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    expect(metrics).toMatch(/gateway_clients_refused_total\{reason="slow_reader".*\} 1/)
  })

  test('are cancelled when their client leaves', async ({ startGateway }) => {
    const gateway = await startGateway()
    const link = await linkedRealm(gateway)
    const leaving = new AbortController()
    const left = fetch(gateway.url + LIST, { headers, signal: leaving.signal }).catch(() => 'left')
    await until(() => link.requests.length === 1)

    leaving.abort()

    expect(await left).toBe('left')
    await until(() => link.cancelled.length === 1)
    expect(link.cancelled).toEqual(link.requests.map(({ number }) => number))
  })

  test.for<[string, (link: FakeRequestLink) => void]>([
    ['is cut', ({ socket }) => void socket.destroy()],
    ['ends in the middle of a frame', ({ socket }) => void socket.end(Buffer.from([0, 0, 0, 100, 0, 0]))],
    ['has no frames', ({ socket }) => void socket.write(Buffer.from([255, 0, 0, 0]))],
    ['breaks their answer off', (link) => link.send({ broken: [link.requests[0]?.number ?? 0] })],
  ])(
    'go elsewhere if they change nothing, and are refused otherwise, when their link %s',
    async ([, fail], { startGateway }) => {
      const gateway = await startGateway()
      const { url, messaging, messaging2 } = gateway
      const links = await linked(gateway, '/api/v1/drafts', messaging, messaging2)
      const pending = [fetch(`${url}/api/v1/drafts`, { headers }), post(`${url}/api/v1/drafts`)]
      await until(() => links.every(({ requests }) => requests.length === 1))
      const [reader, writer] = links.toSorted((a) => (a.requests[0]?.line.startsWith('GET') ? -1 : 1))
      if (!reader || !writer) throw new Error('there are not two links')

      fail(reader)
      await until(() => writer.requests.length === 2)
      writer.answer(writer.requests[1], { drafts: [] })
      const read = await pending[0]
      fail(writer)
      const written = await pending[1]

      expect(await read?.json()).toMatchObject({ drafts: [] })
      expect(written?.status).toBe(503)
      expect(written?.headers.get('retry-after')).toBe('2')
      const posts = [
        ...links.flatMap(({ requests }) => requests.map(({ line }) => line)),
        ...byHttp(messaging),
      ]
      expect([...posts, ...byHttp(messaging2)].filter((line) => line.startsWith('POST'))).toHaveLength(1)
    },
  )

  test('whose link is silent go elsewhere if they change nothing, and are refused otherwise', async ({
    startGateway,
  }) => {
    const gateway = await startGateway({}, { SILENT_REPLICA_SECONDS: '1' })
    const { url, messaging, messaging2 } = gateway
    const links = await linked(gateway, '/api/v1/drafts', messaging, messaging2)

    // One for each replica; the links that follow are never answered either.
    const answers = await Promise.all([
      fetch(`${url}/api/v1/drafts`, { headers }),
      post(`${url}/api/v1/drafts`),
    ])

    expect(answers.map(({ status }) => status)).toEqual([200, 503])
    const all = [...links.flatMap(({ requests }) => requests.map(({ line }) => line)), ...byHttp(messaging)]
    expect([...all, ...byHttp(messaging2)].filter((line) => line.startsWith('POST'))).toHaveLength(1)
  })

  test('cut off their client when the link is lost in the middle of the answer', async ({ startGateway }) => {
    const gateway = await startGateway()
    const link = await linkedRealm(gateway)
    const pending = fetch(gateway.url + LIST, { headers })
    await until(() => link.requests.length === 1)
    link.send({ answers: [[link.requests[0]?.number ?? 0, 200, ['content-length', '10'], false]] }, ['{"a"'])
    const answer = await pending

    link.socket.destroy()

    await expect(answer.text()).rejects.toThrow()
  })

  test('of a replica that leaves are answered, later ones go by HTTP, and then the gateway ends the link', async ({
    startGateway,
  }) => {
    const gateway = await startGateway()
    const link = await linkedRealm(gateway)
    gateway.realm.onRequestLink = null
    const early = fetch(`${gateway.url}${LIST}?early`, { headers })
    await until(() => link.requests.length === 1)
    link.send({ isLeaving: true })

    const late = await fetch(`${gateway.url}${LIST}?late`, { headers })

    expect([late.status, byHttp(gateway.realm)]).toEqual([200, [`GET ${LIST}?late`]])
    expect(link.socket.readableEnded).toBe(false)
    link.answer(link.requests[0], { of: 'early' })
    expect(await (await early).json()).toMatchObject({ of: 'early' })
    await until(() => link.socket.readableEnded)
  })

  test('go to the other replica once one has said over its link that it leaves', async ({ startGateway }) => {
    const gateway = await startGateway()
    const { url, messaging, messaging2 } = gateway
    const [leaving, other] = await linked(gateway, '/api/v1/drafts', messaging, messaging2)
    // A health check would otherwise take the word back.
    for (const replica of [messaging, messaging2].filter(({ url: at }) => isAt(at, leaving)))
      replica.live = (_incoming, response) => response.writeHead(200, { [LEAVING_HEADER]: 'true' }).end('{}')
    leaving?.send({ isLeaving: true })
    await until(() => leaving?.socket.readableEnded === true)

    for (let count = 0; count < 4; count++) {
      const pending = fetch(`${url}/api/v1/drafts`, { headers })
      await until(() => other?.requests.length === count + 1)
      other?.answer(other.requests[count], { drafts: [] })
      expect((await pending).status).toBe(200)
    }

    expect([leaving?.requests, ...byHttp(messaging), ...byHttp(messaging2)]).toEqual([[]])
  })

  test.for<[string, RequestInit['body'], Record<string, string>?]>([
    ['a long body', `pattern=${'x'.repeat(64 * 1024)}`],
    ['a body in parts', new Blob(['pattern=x']).stream()],
    ['a body that is no text', Buffer.from([0x61, 0x3d, 0xff])],
    ['a form for files', '--b--\r\n', { 'content-type': 'multipart/form-data; boundary=b' }],
  ])('are no requests with %s', async ([, body, more], { startGateway }) => {
    const gateway = await startGateway()
    const link = await linkedRealm(gateway)
    let received = Buffer.alloc(0)
    gateway.realm.answer = (incoming, response) => {
      incoming.on('data', (chunk: Buffer) => {
        if (incoming.url === CHANGE) received = Buffer.concat([received, chunk])
      })
      incoming.once('end', () => response.end('{}'))
    }

    const answer = await post(gateway.url + CHANGE, body, more)

    expect(answer.status).toBe(200)
    expect(byHttp(gateway.realm)).toEqual([`POST ${CHANGE}`])
    expect(link.requests).toEqual([])
    if (Buffer.isBuffer(body)) expect(received).toEqual(body)
  })

  test('are no requests for what may wait or is a file, and HEAD', async ({ startGateway }) => {
    const gateway = await startGateway()
    const link = await linkedRealm(gateway)
    const answer = await fetch(gateway.url + LIST, { method: 'HEAD', headers })
    await fetch(`${gateway.url}/static/generated/emoji/emoji_api.0.json`)
    expect(answer.status).toBe(200)
    expect(link.requests).toEqual([])
  })

  test('get a further link when many are in progress', async ({ startGateway }) => {
    const gateway = await startGateway()
    const first = await linkedRealm(gateway)
    const links = [first]
    gateway.realm.onRequestLink = (link) => void links.push(link)
    const inProgress: Promise<Response>[] = []
    const ask = () => void inProgress.push(fetch(gateway.url + LIST, { headers }))
    while (links.length < 2) {
      ask()
      await until(() => links.length === 2 || first.requests.length === inProgress.length)
    }
    expect(inProgress.length).toBeGreaterThan(8)

    ask()

    const received = () => links.reduce((sum, { requests }) => sum + requests.length, 0)
    await until(() => received() === inProgress.length)
    expect(links[1]?.requests.length).toBeGreaterThan(0)
    for (const link of links) for (const request of link.requests) link.answer(request)
    for (const answer of await Promise.all(inProgress)) expect(answer.status).toBe(200)
  })
})

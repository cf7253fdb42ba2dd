import { generateKeyPairSync } from 'node:crypto'
import { AppError, type RequestLinkAnswers, type RequestLinkRequests, requestLink } from '@tms/contracts'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FrameConnection } from '../frames/frame-connection.ts'
import { openFrames } from '../frames/open-frames.ts'
import type { AnswerTarget } from '../http/answer-target.ts'
import type { LinkedRequest } from '../http/api-request.ts'
import { replyError, replySuccess, sentStatus } from '../http/reply.ts'
import { type HttpServer, startHttpServer } from '../http/server.ts'
import { createLog } from '../telemetry/log.ts'
import { createInternalTokenSource } from '../tokens/tokens.ts'
import { type ServedRequestLinks, serveRequestLinks } from './serve-request-links.ts'

const keys = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const log = createLog('messaging', 'silent')

type Served = readonly [request: LinkedRequest, answer: AnswerTarget]
let server: HttpServer
let links: ServedRequestLinks
let served: Served[]
/** The gateway's end of the link, and what came over it. */
let gateway: FrameConnection
let frames: (RequestLinkAnswers & { readonly texts: readonly string[] })[]
let ends: (Error | null)[]

beforeEach(async () => {
  served = []
  frames = []
  ends = []
  links = serveRequestLinks({
    serve: (request, answer) => void served.push([request, answer]),
    ...{ internalPublicKey: keys.publicKey, log },
  })
  server = await startHttpServer({
    ...{ host: '127.0.0.1', port: 0, log, metrics: new Registry(), probes: [], drainMs: 0 },
    ...{ api: () => false, upgrade: links.upgrade, onLeaving: links.leave },
  })
  gateway = await open()
})
afterEach(async () => {
  gateway.end()
  await server.close()
})

async function open(): Promise<FrameConnection> {
  const { port } = server
  // A connection of another test may end late.
  const [ownFrames, ownEnds] = [frames, ends]
  const token = createInternalTokenSource('gateway', keys.privateKey)()
  const { socket, head } = await openFrames(
    { hostname: '127.0.0.1', port, host: `127.0.0.1:${port}`, isTls: false },
    requestLink,
    { ...{ token, tls: {} }, connectTimeoutMs: 2_000, answerTimeoutMs: 2_000 },
  )
  return new FrameConnection(socket, head, {
    silentMs: 60_000,
    onFrame: ([text = '', ...texts]) =>
      ownFrames.push({ ...(JSON.parse(text) as RequestLinkAnswers), texts }),
    onEnd: (err) => ownEnds.push(err),
  })
}

const send = (requests: Partial<RequestLinkRequests>, bodies: readonly string[] = []) =>
  gateway.send([JSON.stringify({ requests: [], cancelled: [], wanted: [], ...requests }), ...bodies])

/** Sends GETs with these numbers, and waits until they are served. */
async function ask(...numbers: number[]): Promise<Served[]> {
  const before = served.length
  send(
    { requests: numbers.map((number) => [number, 'GET', `/api/v1/${number}`, []]) },
    numbers.map(() => ''),
  )
  await vi.waitFor(() => expect(served).toHaveLength(before + numbers.length))
  return served.slice(before)
}

function answerOf(one: Served | undefined): AnswerTarget {
  if (!one) throw new Error('the request was not served')
  return one[1]
}

const answers = () => frames.flatMap((frame) => frame.answers)

describe('a request over a link', () => {
  test('has its method, address, headers and body, byte by byte', async () => {
    const body = '\u{feff}content=Grüße 🙂'
    send({ requests: [[1, 'POST', '/api/v1/messages?a=b', ['content-type', 'text/plain', 'x', 'y']]] }, [
      body,
    ])

    await vi.waitFor(() => expect(served).toHaveLength(1))

    expect(served[0]?.[0]).toMatchObject({
      ...{ method: 'POST', url: '/api/v1/messages?a=b', headers: { 'content-type': 'text/plain', x: 'y' } },
      body: Buffer.from(body),
    })
  })

  test('is answered in one frame with others of its turn, in any order', async () => {
    const [first, second] = await ask(1, 2)

    replyError(answerOf(second), new AppError('RATE_LIMIT_HIT', { details: { 'retry-after': 3 } }))
    replySuccess(answerOf(first), { a: 'ü' }, [])

    await vi.waitFor(() => expect(frames).toHaveLength(1))
    const [refusal, success] = frames[0]?.answers ?? []
    expect(refusal).toEqual([2, 429, expect.arrayContaining(['retry-after', '3']), true])
    expect(success).toEqual([1, 200, expect.arrayContaining(['content-length', '38']), true])
    expect(frames[0]?.texts[1]).toBe('{"result":"success","msg":"","a":"ü"}')
    expect(JSON.parse(frames[0]?.texts[0] ?? '')).toMatchObject({ code: 'RATE_LIMIT_HIT' })
  })

  test('reports its end once it is sent, and that its gateway gave it up', async () => {
    const [sent, cancelled] = await ask(1, 2)
    const closed: number[] = []
    for (const [at, each] of [sent, cancelled].entries()) answerOf(each).on('close', () => closed.push(at))

    send({ cancelled: [2] })
    await vi.waitFor(() => expect(closed).toEqual([1]))
    expect(sentStatus(answerOf(cancelled))).toBe(499)
    for (const each of [cancelled, sent]) replySuccess(answerOf(each), {}, [])

    await vi.waitFor(() => expect(closed).toEqual([1, 0]))
    await vi.waitFor(() => expect(answers().map(([number]) => number)).toEqual([1]))
  })

  test('gets a long answer in parts as its gateway wants them, without cutting characters', async () => {
    const [long, short] = await ask(1, 2)
    const text = `a${'🙂'.repeat(100_000)}`
    replySuccess(answerOf(long), { text }, [])
    await vi.waitFor(() => expect(frames).toHaveLength(1))
    replySuccess(answerOf(short), {}, [])
    // The other answer isn't delayed.
    await vi.waitFor(() => expect(answers().map(([number]) => number)).toEqual([1, 2]))
    const parts = [frames[0]?.texts[0] ?? '']

    for (let isLast = false; !isLast; ) {
      const before = frames.length
      send({ wanted: [1] })
      await vi.waitFor(() => expect(frames.length).toBe(before + 1))
      const frame = frames.at(-1)
      parts.push(frame?.texts[0] ?? '')
      isLast = frame?.parts[0]?.[1] ?? true
    }

    expect(JSON.parse(parts.join(''))).toMatchObject({ text })
    expect(answers()[0]?.[3]).toBe(false)
    for (const part of parts) expect(part.isWellFormed()).toBe(true)
  })

  test('that is answered partly and breaks off is reported', async () => {
    const [broken] = await ask(1)
    replySuccess(answerOf(broken), { text: 'x'.repeat(100_000) }, [])
    await vi.waitFor(() => expect(answers()).toHaveLength(1))

    answerOf(broken).destroy()

    await vi.waitFor(() => expect(frames.at(-1)?.broken).toEqual([1]))
  })

  test('with a number that is in use ends the link', async () => {
    await ask(1)
    send({ requests: [[1, 'GET', '/api/v1/a', []]] }, [''])
    await vi.waitFor(() => expect(ends).toHaveLength(1))
  })
})

describe('a link', () => {
  test('with much to send keeps answers back until its gateway has read', async () => {
    const numbers = Array.from({ length: 400 }, (_, at) => at + 1)
    const all = await ask(...numbers)
    for (const [, answer] of all) replySuccess(answer, { text: 'x'.repeat(60_000) }, [])

    await vi.waitFor(() => expect(answers()).toHaveLength(400), 10_000)
    expect(frames.length).toBeGreaterThan(10)
    expect(ends).toEqual([])
  })

  test('of a replica that leaves says so, serves what comes until its gateway ends it, and delays the end', async () => {
    const [early] = await ask(1)
    let isClosed = false
    const closing = server.close().then(() => {
      isClosed = true
    })
    await vi.waitFor(() => expect(frames.at(-1)?.isLeaving).toBe(true))
    const [late] = await ask(2)
    for (const each of [early, late]) replySuccess(answerOf(each), {}, [])
    await vi.waitFor(() => expect(answers().map(([number]) => number)).toEqual([1, 2]))
    expect(isClosed).toBe(false)

    gateway.end()

    await closing
  })

  test('is refused while the replica leaves', async () => {
    links.leave()
    await expect(open()).rejects.toMatchObject({ status: 503 })
  })

  test('that is lost ends the requests in progress', async () => {
    const [inProgress] = await ask(1)
    const closed = new Promise<void>((resolve) => answerOf(inProgress).on('close', resolve))

    gateway.destroy(new Error('the gateway was killed'))

    await closed
    expect(answerOf(inProgress).destroyed).toBe(true)
  })
})

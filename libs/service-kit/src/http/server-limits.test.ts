import { once } from 'node:events'
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { JsonFields } from '@tms/contracts'
import { Registry } from 'prom-client'
import { afterEach, expect, test, vi } from 'vitest'
import { createLog } from '../telemetry/log.ts'
import { readBodyFields } from './form.ts'
import { replyError, replyJson, replyJsonWithTail, replySuccess } from './reply.ts'
import { type HttpOptions, type HttpServer, startHttpServer } from './server.ts'

const MIB = 1024 * 1024
const LARGE_BYTES = 16 * MIB

let server: HttpServer
const sockets: Socket[] = []
const agent = new Agent({ keepAlive: true })
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  vi.restoreAllMocks()
  await server.close()
})

async function start(options: Partial<HttpOptions>): Promise<void> {
  server = await startHttpServer({
    ...{ host: '127.0.0.1', port: 0, log: createLog('test', 'silent'), metrics: new Registry() },
    ...{ probes: [], drainMs: 0, api: () => false },
    ...options,
  })
}

/** Connects and sends the text. */
function open(text: string): Socket {
  const socket = connect(server.port, '127.0.0.1', () => socket.write(text))
  socket.on('error', () => {})
  sockets.push(socket)
  return socket
}

const ask = (path: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port: server.port, path, agent }, (answer) => {
      answer.resume().once('end', () => resolve(answer))
    }).once('error', reject)
  })

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}

const now = performance.now.bind(performance)
/** Advances the clock, but not timers. */
const later = (ms: number) => void vi.spyOn(performance, 'now').mockImplementation(() => now() + ms)
/** Stops the clock at a time. */
const stopClock = (at: number) => void vi.spyOn(performance, 'now').mockReturnValue(at)

test('readiness requests share one check, and answers contain no addresses', async () => {
  let checks = 0
  await start({
    probes: [
      { name: 'there', check: async () => checks++ },
      {
        ...{ name: 'away', isOptional: true },
        check: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432')),
      },
    ],
  })
  const fetchReadiness = async () => (await fetch(`http://127.0.0.1:${server.port}/health/ready`)).json()
  const startedAt = now()

  stopClock(startedAt)
  const answers = await Promise.all(Array.from({ length: 20 }, fetchReadiness))

  const readiness = { status: 'ready', missing: {}, degraded: { away: 'is not available' } }
  expect(answers).toEqual(Array(20).fill(readiness))
  expect(checks).toBe(1)
  stopClock(startedAt + 1_000)
  await fetchReadiness()
  expect(checks).toBe(2)
})

test('a starting service is ready within a tenth of a second of its dependencies', async () => {
  let isThere = false
  const check = async () => {
    if (!isThere) throw new Error('starting')
  }
  await start({ probes: [{ name: 'there', check }] })
  const startedAt = now()
  const statusAfter = async (ms: number) => {
    stopClock(startedAt + ms)
    return (await fetch(`http://127.0.0.1:${server.port}/health/ready`)).status
  }

  expect(await statusAfter(0)).toBe(503)
  isThere = true
  expect(await statusAfter(100)).toBe(200)
  isThere = false
  expect(await statusAfter(1_099)).toBe(200)
  expect(await statusAfter(1_100)).toBe(503)
})

test('metrics are served only to allowed clients, for every spelling of the path', async () => {
  await start({ showsMetrics: ({ headers }) => headers['x-forwarded-for'] === undefined })
  const statusOf = async (path: string, header = '') => {
    const socket = open(`GET ${path} HTTP/1.1\r\nHost: x\r\n${header}Connection: close\r\n\r\n`)
    const [chunk] = await once(socket, 'data')
    return Number(String(chunk).slice(9, 12))
  }
  const forms = ['/metrics', '/Metrics', '/metrics/', 'http://x/metrics', '/metrics?a=b']

  for (const form of forms) expect([form, await statusOf(form)]).toEqual([form, 200])
  for (const form of forms)
    expect([form, await statusOf(form, 'X-Forwarded-For: 1.1.1.1\r\n')]).toEqual([form, 404])
})

test('a connection is renewed after minutes without breaking off an answer', async () => {
  const held: ServerResponse[] = []
  await start({
    api: (request, response) => {
      if (request.url === '/held') held.push(response)
      else replyJson(response, 200, {})
      return true
    },
  })
  const connectionOf = async (path: string) => (await ask(path)).headers.connection
  expect(await connectionOf('/')).toBe('keep-alive')
  later(220_000)
  expect(await connectionOf('/')).toBe('keep-alive')
  later(299_000)
  const poll = connectionOf('/held')
  await until(() => held.length === 1)
  later(700_000)
  // On another connection, since the first is in use.
  expect(await connectionOf('/')).toBe('keep-alive')
  for (const response of held) replyJson(response, 200, {})
  await poll
  later(1_400_000)

  expect(await connectionOf('/')).toBe('close')
  expect(await connectionOf('/')).toBe('keep-alive')
})

test('waiting requests end with their connection', async () => {
  let arrived = 0
  let over = 0
  await start({
    api: (_request, response) => {
      arrived++
      response.once('close', () => over++)
      if (arrived > 1) replyJson(response, 200, {})
      return true
    },
  })
  const socket = open('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20))
  await until(() => arrived === 20)
  socket.destroy()

  await until(() => over === 20)
})

test.each<[string, (response: ServerResponse) => unknown]>([
  ['of one text', (response) => replySuccess(response, { text }, [])],
  ['with a tail', (response) => replyJsonWithTail(response, {}, ['tail', new JsonFields(tail, LARGE_BYTES)])],
])(
  'answers %s that nobody reads are ended above the limit, and others continue',
  async (_, reply) => {
    const ended: number[] = []
    let begun = 0
    await start({
      api: (request, response) => {
        const index = begun++
        response.once('close', () => request.socket.destroyed && ended.push(index))
        if (request.url === '/small') replyJson(response, 200, {})
        else void reply(response)
        return true
      },
    })
    // This server buffers more of each answer than the kernel takes.
    for (let i = 0; i < 20; i++) open('GET / HTTP/1.1\r\nHost: x\r\n\r\n').pause()
    await until(() => begun === 20)
    expect((await ask('/small')).statusCode).toBe(200)

    // Bodies of a little more than 16 MiB: 15 fit into 256 MiB, and the oldest end first.
    await until(() => ended.length >= 5)
    expect(new Set(ended)).toEqual(new Set([0, 1, 2, 3, 4]))
  },
  120_000,
)

const text = 'x'.repeat(LARGE_BYTES)
const tail = [Buffer.alloc(LARGE_BYTES, ' ')]

test('bodies that never end are refused above the limit, and others are accepted', async () => {
  let refused = 0
  await start({
    api: (request, response) => {
      readBodyFields(request, new Map(), { takesPicture: true }).then(
        ({ picture }) => replyJson(response, 200, { bytes: picture?.length }),
        (err) => {
          refused++
          replyError(response, err)
        },
      )
      return true
    },
  })
  const head = (bytes: number) =>
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${bytes}\r\n\r\n`
  const part = '--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
  const size = part.length + 4 * MIB
  const slow = Array.from({ length: 80 }, () => {
    let received = ''
    open(head(size + 1) + part + 'x'.repeat(4 * MIB)).on('data', (chunk) => (received += chunk))
    return { received: () => received }
  })

  await until(() => slow.some(({ received }) => received() !== ''))
  const body = new FormData()
  body.set('f', new Blob([new Uint8Array(4 * MIB)]), 'f')
  const quick = await fetch(`http://127.0.0.1:${server.port}/`, { method: 'POST', body })

  expect(await quick.json()).toEqual({ bytes: 4 * MIB })
  const [answer = ''] = slow.map(({ received }) => received()).filter((text) => text !== '')
  // A caller that waits for seconds gets signs of progress meanwhile.
  expect(answer).toMatch(/^(HTTP\/1\.1 102 Processing\r\n\r\n)*HTTP\/1\.1 400 /)
  expect(answer).toContain('The request did not come in time')
  expect(refused).toBeLessThan(80)
})

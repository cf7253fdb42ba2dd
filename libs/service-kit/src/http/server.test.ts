import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { Registry } from 'prom-client'
import { afterEach, expect, test } from 'vitest'
import { createLog } from '../telemetry/log.ts'
import { LEAVING_HEADER } from './leaving.ts'
import { replyJson } from './reply.ts'
import { type HttpServer, startHttpServer } from './server.ts'

let server: HttpServer
/** Ends the answer to `/pending`. */
let answerHeld: () => void
let isHeld: Promise<void>
const agent = new Agent({ keepAlive: true })

async function start(drainMs: number): Promise<void> {
  let tellHeld = () => {}
  isHeld = new Promise((resolve) => {
    tellHeld = resolve
  })
  server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    log: createLog('test', 'silent'),
    metrics: new Registry(),
    probes: [],
    drainMs,
    api: (request, response) => {
      if (request.url === '/pending') {
        answerHeld = () => replyJson(response, 200, {})
        tellHeld()
        return true
      }
      if (request.url !== '/served') return false
      replyJson(response, 200, {})
      return true
    },
  })
}

const sendGet = (path: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port: server.port, path, agent }, (answer) => {
      answer.resume().once('end', () => resolve(answer))
    }).once('error', reject)
  })

afterEach(() => server.close())

test('a stopping process still serves, reports that it is leaving, and keeps no connection', async () => {
  await start(300)
  const ready = await sendGet('/health/ready')
  expect([ready.statusCode, ready.headers[LEAVING_HEADER]]).toEqual([200, undefined])
  const pending = sendGet('/pending')
  await isHeld
  const left = server.leave()

  expect((await sendGet('/health/ready')).statusCode).toBe(503)
  const served = await sendGet('/served')
  expect([served.statusCode, served.headers.connection]).toEqual([200, 'close'])
  expect(served.headers[LEAVING_HEADER]).toBe('true')
  answerHeld()
  const { headers } = await pending
  expect([headers.connection, headers[LEAVING_HEADER]]).toEqual(['close', 'true'])
  await left
  expect((await sendGet('/served')).statusCode).toBe(200)
})

test('a closing server finishes the answers that it has begun', async () => {
  await start(0)
  const pending = sendGet('/pending')
  await isHeld
  await server.leave()
  const closed = server.close()

  await expect(sendGet('/served')).rejects.toThrow('ECONNREFUSED')
  answerHeld()
  const answer = await pending
  expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close'])
  await closed
})

test('a closing server does not wait for connections over which no request came', async () => {
  await start(0)
  const unused = connect(server.port, '127.0.0.1')
  await once(unused, 'connect')
  await sendGet('/served')
  const closedAfter = performance.now()
  await server.close()

  expect(performance.now() - closedAfter).toBeLessThan(5_000)
  unused.destroy()
})

import { once } from 'node:events'
import { request } from 'node:http'
import { Registry } from 'prom-client'
import { afterEach, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { type HttpServer, startHttpServer } from './server.ts'

const NONE = { headersTimeoutMs: 60_000, keepAliveMs: 60_000, stalledMs: 60_000, maxHeaders: 100 }
let server: HttpServer
afterEach(() => server.close())

const start = async (limits?: typeof NONE) => {
  server = await startHttpServer({
    ...{ host: '127.0.0.1', port: 0, log: createLog('test', 'silent'), metrics: new Registry(), probes: [] },
    ...{ drainMs: 0, ...(limits && { limits }) },
    api: (_request, response) => {
      setTimeout(() => response.end('done'), 8_000)
      return true
    },
  })
  const asking = request({ port: server.port })
  const heard: number[] = []
  asking.on('information', ({ statusCode }) => heard.push(statusCode))
  asking.end()
  const [answer] = await once(asking, 'response')
  answer.resume()
  return { heard, status: answer.statusCode }
}

test('a caller hears that its request is worked at, and then the answer', async () => {
  expect(await start()).toEqual({ heard: [102], status: 200 })
}, 20_000)

test('a stranger hears the answer alone', async () => {
  expect(await start(NONE)).toEqual({ heard: [], status: 200 })
}, 20_000)

import { once } from 'node:events'
import { request } from 'node:http'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createLog } from '../telemetry/log.ts'
import { startHttpServer } from './server.ts'

const NONE = { headersTimeoutMs: 60_000, keepAliveMs: 60_000, stalledMs: 60_000, maxHeaders: 100 }

/** What a client gets whose answer takes longer than the server waits before it sends a sign of progress. */
const receive = async (limits?: typeof NONE) => {
  const server = await startHttpServer({
    ...{ host: '127.0.0.1', port: 0, log: createLog('test', 'silent'), metrics: new Registry(), probes: [] },
    ...{ drainMs: 0, ...(limits && { limits }) },
    api: (_request, response) => {
      setTimeout(() => response.end('done'), 8_000)
      return true
    },
  })
  try {
    const clientRequest = request({ port: server.port })
    const statuses: number[] = []
    clientRequest.on('information', ({ statusCode }) => statuses.push(statusCode))
    clientRequest.end()
    const [answer] = await once(clientRequest, 'response')
    answer.resume()
    return { statuses, status: answer.statusCode }
  } finally {
    await server.close()
  }
}

test.concurrent('an internal caller gets signs of progress and then the answer', async () => {
  expect(await receive()).toEqual({ statuses: [102], status: 200 })
})

test.concurrent('another client gets only the answer', async () => {
  expect(await receive(NONE)).toEqual({ statuses: [], status: 200 })
})

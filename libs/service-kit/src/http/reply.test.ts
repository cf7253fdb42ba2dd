import { AppError } from '@tms/contracts'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../telemetry/log.ts'
import { replyErrorPage } from './page-answer.ts'
import { replyError } from './reply.ts'
import { type HttpServer, startHttpServer } from './server.ts'

let server: HttpServer
let error: AppError
beforeAll(async () => {
  server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    log: createLog('test', 'silent'),
    metrics: new Registry(),
    probes: [],
    drainMs: 0,
    api: (request, response) => {
      const reply = request.url === '/page' ? replyErrorPage : replyError
      reply(response, error)
      return true
    },
  })
})
afterAll(() => server.close())

const sendGet = async (path: string, appError: AppError): Promise<Headers> => {
  error = appError
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`)
  await answer.text()
  return answer.headers
}

const details = { allowed_methods: ['GET', 'POST'] }
test.each(['/data', '/page'])('an error has headers for programs (%s)', async (path) => {
  const notAllowed = await sendGet(path, new AppError('METHOD_NOT_ALLOWED', { details }))
  const late = await sendGet(path, new AppError('RATE_LIMIT_HIT', { details: { 'retry-after': 1.5 } }))

  expect([notAllowed.get('allow'), notAllowed.get('retry-after')]).toEqual(['GET, POST', null])
  expect([late.get('allow'), late.get('retry-after')]).toEqual([null, '2'])
})

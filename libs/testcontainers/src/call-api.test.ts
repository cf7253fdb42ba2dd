import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { callApi } from './call-api.ts'

type Heard = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { body: string }

/** Says what is next, and remembers what it was asked. */
const answers: { status: number; text: string }[] = []
let heard: Heard[] = []
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { method, url, headers } = request
    heard.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
    const { status, text } = answers.shift() ?? { status: 200, text: '{"result":"success"}' }
    response.writeHead(status).end(text)
  })
})
let baseUrl = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

test('texts are sent as they are, everything else as JSON, with the credentials', async () => {
  heard = []
  await callApi(baseUrl, 'POST', '/messages', {
    credentials: { email: 'a@b.c', apiKey: 'k' },
    parameters: { content: 'hi', to: [7], draft: undefined },
  })

  expect(heard).toMatchObject([{ method: 'POST', url: '/api/v1/messages', body: 'content=hi&to=%5B7%5D' }])
  expect(heard[0]?.headers.authorization).toBe(`Basic ${btoa('a@b.c:k')}`)
})

test('a question has its parameters in the query', async () => {
  heard = []
  await callApi(baseUrl, 'GET', '/events', { parameters: { queue_id: 'q', last_event_id: -1 } })

  expect(heard).toMatchObject([
    { method: 'GET', url: '/api/v1/events?queue_id=q&last_event_id=-1', body: '' },
  ])
})

test('a refusal says what was to be done, and why it was not', async () => {
  const text = JSON.stringify({ result: 'error', code: 'BAD_REQUEST', msg: 'Email is already in use' })
  answers.push({ status: 400, text })

  const creation = callApi(baseUrl, 'POST', '/users', { what: 'the user Iago' })
  await expect(creation).rejects.toMatchObject({
    name: 'RefusedError',
    message: 'the user Iago was refused: Email is already in use (400 BAD_REQUEST)',
    status: 400,
    code: 'BAD_REQUEST',
  })
})

test('an answer that is no JSON is told as it is', async () => {
  answers.push({ status: 502, text: 'Bad Gateway' })

  await expect(callApi(baseUrl, 'GET', '/users')).rejects.toThrow('GET /users was refused: Bad Gateway (502)')
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createUser } from './population.ts'
import { TeamMessagingClient } from './team-messaging-client.ts'

const account = { userId: 7, fullName: 'Iago', email: 'iago@example.com', apiKey: 'k', password: null }

/** A server that returns `answer` and records the forms that it receives. */
let receivedForms: Record<string, string>[] = []
let answer: { status: number; body: object }
const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  receivedForms.push(Object.fromEntries(new URLSearchParams(text)))
  response.writeHead(answer.status).end(JSON.stringify(answer.body))
})
let url: string
beforeEach(async () => {
  receivedForms = []
  answer = { status: 200, body: { result: 'success', id: 42 } }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.close()
  server.closeAllConnections()
})

test('a channel whose name is a number is identified by its name', async () => {
  const client = new TeamMessagingClient(() => url, account)

  expect(await client.send({ channel: '2024', topic: 'plans', content: 'hi' })).toMatchObject({ id: 42 })
  expect(receivedForms).toEqual([{ type: 'channel', to: '"2024"', topic: 'plans', content: 'hi' }])
})

test('direct messages take user IDs or e-mails', async () => {
  const client = new TeamMessagingClient(() => url, account)
  await client.send({ to: [7], content: 'hi' })
  await client.send({ to: ['iago@example.com'], content: 'hi' })

  expect(receivedForms.map(({ to }) => to)).toEqual(['[7]', '["iago@example.com"]'])
})

test('requests follow a container that restarts with another address', async () => {
  let current = 'http://127.0.0.1:2'
  const client = new TeamMessagingClient(() => current, account)
  current = url

  expect(await client.send({ to: [7], content: 'hi' })).toMatchObject({ id: 42 })
})

test('sending returns what `sendMessage` returns', async () => {
  answer = { status: 200, body: { result: 'success', msg: '', id: 42, automatic_new_visibility_policy: 3 } }
  const client = new TeamMessagingClient(() => url, account)

  const returned = await client.send({ to: [7], content: 'hi' })

  expect(returned).toMatchObject({ id: 42, automatic_new_visibility_policy: 3 })
  expect(returned).toEqual(await client.api.sendMessage({ type: 'direct', to: [7], content: 'hi' }))
})

test('an error of the API says what was refused and why', async () => {
  const refusalBody = { result: 'error', code: 'BAD_REQUEST', msg: 'Email is already in use' }
  answer = { status: 400, body: refusalBody }

  await expect(createUser(url, account, { fullName: 'Iago' })).rejects.toMatchObject({
    message: 'the user Iago <iago@example.com> was refused: Email is already in use (400 BAD_REQUEST)',
    cause: { name: 'ApiError', status: 400, code: 'BAD_REQUEST' },
  })
})

import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ApiError, type Client, createClient, NoAnswerError, signIn } from '../src/index.ts'
import { badGateway, type FakeServer, hangUp, refuse, startFakeServer, succeed } from './fake-server.ts'

let server: FakeServer
let client: Client
const credentials = { email: 'zoé@example.com', apiKey: 'a key' }
beforeEach(async () => {
  server = await startFakeServer()
  client = createClient({ url: server.url, ...credentials })
})
afterEach(() => server.close())

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (err: unknown) => err,
  )

describe('a call', () => {
  test('says who calls, in UTF-8', async () => {
    await client.getOwnUser()

    const encoded = Buffer.from('zoé@example.com:a key').toString('base64')
    expect(server.heard).toMatchObject([
      { method: 'GET', url: '/api/v1/users/me', headers: { authorization: `Basic ${encoded}` } },
    ])
  })

  test('without credentials says nothing of them', async () => {
    await createClient({ url: server.url }).getServerSettings()

    expect(server.heard[0]?.headers).not.toHaveProperty('authorization')
  })

  test('sends texts as they are and everything else as JSON', async () => {
    await client.sendMessage({ type: 'direct', to: [9, 10], content: '"é" & +', read_by_sender: true })

    expect(server.heard).toMatchObject([
      {
        method: 'POST',
        path: '/api/v1/messages',
        fields: { type: 'direct', to: '[9,10]', content: '"é" & +', read_by_sender: 'true' },
      },
    ])
  })

  test('means a channel whose name is a number by its name', async () => {
    await client.sendMessage({ type: 'channel', to: '9', topic: 'a topic', content: 'x' })

    expect(server.heard[0]?.fields).toMatchObject({ to: '"9"', topic: 'a topic' })
  })

  test('leaves out what is undefined', async () => {
    await client.sendMessage({ type: 'direct', to: [9], content: 'x', topic: undefined })

    expect(server.heard[0]?.fields).not.toHaveProperty('topic')
  })

  test('puts parameters into the path, and what GET and DELETE take into the query', async () => {
    await client.getUser({ user_id: 'a/b@example.com', client_gravatar: false })
    await client.removeAlertWords({ alert_words: ['x'] })

    expect(server.heard).toMatchObject([
      { method: 'GET', url: '/api/v1/users/a%2Fb%40example.com?client_gravatar=false' },
      { method: 'DELETE', path: '/api/v1/users/me/alert_words', fields: { alert_words: '["x"]' } },
    ])
  })

  test('sends nothing where a part of the path is missing', async () => {
    const call = client.getMessage({} as { message_id: number })

    await expect(call).rejects.toThrow('message_id is missing')
    expect(server.heard).toEqual([])
  })

  test('sends a file after what belongs to it, with its name', async () => {
    await client.uploadLogo({ filename: new File(['a picture'], 'a logo.png'), night: true })

    const [{ headers, text } = { headers: {}, text: '' }] = server.heard
    expect(headers['content-type']).toContain('multipart/form-data')
    expect(text).toMatch(/name="night"\s+true\s[\s\S]*name="filename"; filename="a logo.png"[\s\S]*a picture/)
  })

  test('goes below the path of the organization, if it has one', async () => {
    await createClient({ url: `${server.url}/chat/` }).getServerSettings()

    expect(server.heard[0]?.path).toBe('/chat/api/v1/server_settings')
  })

  test('gives what was answered, and what was ignored', async () => {
    server.answer = (_, response) => succeed(response, { id: 7, ignored_parameters_unsupported: ['x'] })

    const answer = await client.sendMessage({ type: 'direct', to: [9], content: 'x' })
    expect(answer).toMatchObject({ id: 7, ignored_parameters_unsupported: ['x'] })
  })

  test('gives a file as it is', async () => {
    server.answer = (_, response) => response.end('{"result":"error"}')

    const file = await client.getFile({ realm_id: 1, shard: 'ab', filename: 'c d/e.txt' })
    expect(await file.text()).toBe('{"result":"error"}')
    expect(server.heard[0]?.url).toBe('/user_uploads/1/ab/c%20d%2Fe.txt')
  })

  test('ends when its signal says so', async () => {
    const stop = new AbortController()
    server.answer = () => stop.abort(new Error('enough'))

    await expect(client.getOwnUser({}, { signal: stop.signal })).rejects.toThrow('enough')
    await expect(client.getOwnUser({}, { signal: stop.signal })).rejects.toThrow('enough')
    expect(server.heard).toHaveLength(1)
  })
})

test('leaves nothing with a signal that lives as long as the program', async () => {
  const { signal } = new AbortController()
  await client.getOwnUser({}, { signal })
  const file = await client.getFile({ realm_id: 1, shard: 'ab', filename: 'x' }, { signal })
  await file.text()
  server.answer = (_, response) => badGateway(response)
  await failureOf(client.getOwnUser({}, { signal, retries: 1 }))

  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('ends a file that is coming when its signal says so', async () => {
  const stop = new AbortController()
  server.answer = (_, response) => response.writeHead(200, { 'content-length': '100' }).write('begun')

  const file = await client.getFile({ realm_id: 1, shard: 'ab', filename: 'x' }, { signal: stop.signal })
  const text = file.text()
  stop.abort(new Error('enough'))
  await expect(text).rejects.toThrow('enough')
})

describe('a client is refused', () => {
  test.each([undefined, '', 'chat.example.com', 'localhost:9991', 'file:///chat'])(
    'where %p is to be its server',
    (url) => {
      expect(() => createClient({ url: url as string })).toThrow(/^url must be an address such as https:/)
    },
  )

  test('with credentials in its address, which no message is to show', () => {
    const url = 'https://zoe:a-key@chat.example.com'
    expect(() => createClient({ url })).toThrow('url must have no credentials in it')
  })

  test('with half of its credentials', () => {
    const { url } = server
    expect(() => createClient({ url, email: 'zoe@example.com' })).toThrow('apiKey is missing')
    expect(() => createClient({ url, apiKey: 'a key' })).toThrow('email is missing')
  })
})

describe('a refusal', () => {
  test('has the code, the text, the status and what else there is', async () => {
    server.answer = (_, response) => refuse(response, 400, 'STREAM_DOES_NOT_EXIST', { stream: 'nowhere' })

    const err = await failureOf(
      client.sendMessage({ type: 'channel', to: 'nowhere', topic: 'x', content: 'x' }),
    )
    expect(err).toBeInstanceOf(ApiError)
    expect(err).toMatchObject({
      operation: 'sendMessage',
      status: 400,
      code: 'STREAM_DOES_NOT_EXIST',
      msg: 'That is STREAM_DOES_NOT_EXIST',
      details: { stream: 'nowhere' },
      retryAfterSeconds: null,
    })
    expect(server.heard).toHaveLength(1)
  })

  test('is known by its code, and then what it says', async () => {
    server.answer = (_, response) => refuse(response, 400, 'STREAM_DOES_NOT_EXIST', { stream: 'nowhere' })

    const err = await failureOf(client.listTopics({ stream_id: 1 }))
    if (!(err instanceof ApiError)) throw err
    expect(err.is('BAD_REQUEST')).toBe(false)
    if (err.is('STREAM_DOES_NOT_EXIST')) expect(err.details.stream?.length).toBe(7)
    expect.assertions(2)
  })

  test('of a file is a refusal', async () => {
    server.answer = (_, response) => refuse(response, 404, 'BAD_REQUEST')

    const call = client.getFile({ realm_id: 1, shard: 'ab', filename: 'x' })
    await expect(call).rejects.toMatchObject({ name: 'ApiError', status: 404 })
  })
})

describe('no answer of the API', () => {
  test('is what a proxy says', async () => {
    server.answer = (_, response) => badGateway(response)

    const err = await failureOf(client.getOwnUser({}, { retries: 0 }))
    expect(err).toBeInstanceOf(NoAnswerError)
    expect(err).toMatchObject({ status: 502, message: expect.stringContaining('502 Bad Gateway') })
  })

  test.each(['<p>Log in to this network</p>', 'null', '[]', '{"result":"success"'])(
    'is a success that says %s',
    async (text) => {
      server.answer = (_, response) => response.end(text)

      const call = client.getOwnUser({}, { retries: 0 })
      await expect(call).rejects.toMatchObject({ name: 'NoAnswerError', status: 200 })
    },
  )

  test('is a connection that breaks, and says how', async () => {
    server.answer = (_, response) => hangUp(response)

    const err = await failureOf(client.getOwnUser({}, { retries: 0 }))
    expect(err).toMatchObject({ name: 'NoAnswerError', status: null, cause: { message: 'fetch failed' } })
  })

  test('is one that breaks in the middle of the answer', async () => {
    server.answer = (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"result":')
      setImmediate(() => hangUp(response))
    }

    const call = client.getOwnUser({}, { retries: 0 })
    await expect(call).rejects.toMatchObject({ name: 'NoAnswerError', status: null })
  })

  test('is one that comes too late', async () => {
    server.answer = () => {}

    const call = client.getOwnUser({}, { retries: 0, timeoutMs: 20 })
    await expect(call).rejects.toThrow(`getOwnUser: no answer came from ${server.url} in 20 ms`)
  })
})

describe('trying again', () => {
  const answers = (...answerers: FakeServer['answer'][]): void => {
    server.answer = (request, response) => answerers.shift()?.(request, response)
  }

  test('happens when the rate allows it, as the answer says', async () => {
    const retry = { 'retry-after': 0.3, headers: { 'retry-after': '1' } }
    answers(
      (_, response) => refuse(response, 429, 'RATE_LIMIT_HIT', retry),
      (_, response) => succeed(response),
    )

    const startedAt = performance.now()
    await client.addReaction({ message_id: 1, emoji_name: 'tada' })
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(299)
    expect(server.heard).toHaveLength(2)
  })

  test('is left to who does not want it', async () => {
    server.answer = (_, response) => refuse(response, 429, 'RATE_LIMIT_HIT', { 'retry-after': 0.1 })

    const careful = createClient({ url: server.url, retries: 0 })
    await expect(careful.getOwnUser()).rejects.toMatchObject({ status: 429, retryAfterSeconds: 0.1 })
    expect(server.heard).toHaveLength(1)
  })

  test('is not waited for where that takes long', async () => {
    server.answer = (_, response) =>
      refuse(response, 429, 'RATE_LIMIT_HIT', { headers: { 'retry-after': '3600' } })

    await expect(client.getOwnUser()).rejects.toMatchObject({ retryAfterSeconds: 3600 })
    expect(server.heard).toHaveLength(1)
  })

  test('is safe for what only reads', async () => {
    answers(
      (_, response) => hangUp(response),
      (_, response) => badGateway(response),
      (_, response) => refuse(response, 503, 'SERVICE_UNAVAILABLE'),
      (_, response) => succeed(response, { user_id: 7 }),
    )

    expect(await client.getOwnUser()).toMatchObject({ user_id: 7 })
  })

  test('sends a message under the same name, so that it is sent once', async () => {
    answers(
      (_, response) => hangUp(response),
      (_, response) => succeed(response, { id: 7 }),
    )
    await client.sendMessage({ type: 'direct', to: [9], content: 'x' })
    server.answer = (_, response) => succeed(response, { id: 8 })
    await client.sendMessage({ type: 'direct', to: [9], content: 'x' })

    const [first, second, other] = server.heard.map(({ headers }) => headers['idempotency-key'])
    expect(first).toMatch(/^[\da-f]{32}$/)
    expect(second).toBe(first)
    expect(other).not.toBe(first)
  })

  test('is not safe for what changes something', async () => {
    answers((_, response) => hangUp(response))

    await expect(client.addReaction({ message_id: 1, emoji_name: 'tada' })).rejects.toThrow('no answer came')
    expect(server.heard).toHaveLength(1)
  })
})

describe('signing in', () => {
  test('gets a key for the password, and goes on with it', async () => {
    server.answer = ({ path }, response) =>
      succeed(response, path.endsWith('key') ? { api_key: 'the key', email: 'user7@example.com' } : {})

    const signedIn = await signIn(server.url, { username: 'zoé@example.com', password: 'a password' })
    expect(signedIn.options).toMatchObject({ email: 'user7@example.com', apiKey: 'the key' })
    await signedIn.getOwnUser()
    expect(server.heard).toMatchObject([
      { path: '/api/v1/fetch_api_key', fields: { username: 'zoé@example.com', password: 'a password' } },
      { headers: { authorization: `Basic ${Buffer.from('user7@example.com:the key').toString('base64')}` } },
    ])
  })
})

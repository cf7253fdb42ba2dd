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

const catchError = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (err: unknown) => err,
  )

describe('a call', () => {
  test('sends the credentials in UTF-8', async () => {
    await client.getOwnUser()

    const encoded = Buffer.from('zoé@example.com:a key').toString('base64')
    expect(server.requests).toMatchObject([
      { method: 'GET', url: '/api/v1/users/me', headers: { authorization: `Basic ${encoded}` } },
    ])
  })

  test('without credentials sends no authorization header', async () => {
    await createClient({ url: server.url }).getServerSettings()

    expect(server.requests[0]?.headers).not.toHaveProperty('authorization')
  })

  test('sends strings as they are and everything else as JSON', async () => {
    await client.sendMessage({ type: 'direct', to: [9, 10], content: '"é" & +', read_by_sender: true })

    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        path: '/api/v1/messages',
        fields: { type: 'direct', to: '[9,10]', content: '"é" & +', read_by_sender: 'true' },
      },
    ])
  })

  test('sends a channel name that looks like a number as a name', async () => {
    await client.sendMessage({ type: 'channel', to: '9', topic: 'a topic', content: 'x' })

    expect(server.requests[0]?.fields).toMatchObject({ to: '"9"', topic: 'a topic' })
  })

  test('leaves out undefined parameters', async () => {
    await client.sendMessage({ type: 'direct', to: [9], content: 'x', topic: undefined })

    expect(server.requests[0]?.fields).not.toHaveProperty('topic')
  })

  test('puts parameters into the path, and those of GET and DELETE into the query', async () => {
    await client.getUser({ user_id: 'a/b@example.com', client_gravatar: false })
    await client.removeAlertWords({ alert_words: ['x'] })

    expect(server.requests).toMatchObject([
      { method: 'GET', url: '/api/v1/users/a%2Fb%40example.com?client_gravatar=false' },
      { method: 'DELETE', path: '/api/v1/users/me/alert_words', fields: { alert_words: '["x"]' } },
    ])
  })

  test('sends nothing if a path parameter is missing', async () => {
    const call = client.getMessage({} as { message_id: number })

    await expect(call).rejects.toThrow('message_id is missing')
    expect(server.requests).toEqual([])
  })

  test('sends a file after the other fields, with its name', async () => {
    await client.uploadLogo({ filename: new File(['a picture'], 'a logo.png'), night: true })

    const [{ headers, text } = { headers: {}, text: '' }] = server.requests
    expect(headers['content-type']).toContain('multipart/form-data')
    expect(text).toMatch(/name="night"\s+true\s[\s\S]*name="filename"; filename="a logo.png"[\s\S]*a picture/)
  })

  test('keeps the path of the base URL', async () => {
    await createClient({ url: `${server.url}/chat/` }).getServerSettings()

    expect(server.requests[0]?.path).toBe('/chat/api/v1/server_settings')
  })

  test('returns the answer, with the ignored parameters', async () => {
    server.answer = (_, response) => succeed(response, { id: 7, ignored_parameters_unsupported: ['x'] })

    const answer = await client.sendMessage({ type: 'direct', to: [9], content: 'x' })
    expect(answer).toMatchObject({ id: 7, ignored_parameters_unsupported: ['x'] })
  })

  test('returns a file unchanged', async () => {
    server.answer = (_, response) => response.end('{"result":"error"}')

    const file = await client.getFile({ realm_id: 1, shard: 'ab', filename: 'c d/e.txt' })
    expect(await file.text()).toBe('{"result":"error"}')
    expect(server.requests[0]?.url).toBe('/user_uploads/1/ab/c%20d%2Fe.txt')
  })

  test('is aborted by its signal', async () => {
    const stop = new AbortController()
    server.answer = () => stop.abort(new Error('enough'))

    await expect(client.getOwnUser({}, { signal: stop.signal })).rejects.toThrow('enough')
    await expect(client.getOwnUser({}, { signal: stop.signal })).rejects.toThrow('enough')
    expect(server.requests).toHaveLength(1)
  })
})

test('removes its listeners from a signal that outlives the call', async () => {
  const { signal } = new AbortController()
  await client.getOwnUser({}, { signal })
  const file = await client.getFile({ realm_id: 1, shard: 'ab', filename: 'x' }, { signal })
  await file.text()
  server.answer = (_, response) => badGateway(response)
  await catchError(client.getOwnUser({}, { signal, retries: 1 }))

  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('aborts the download of a file by its signal', async () => {
  const stop = new AbortController()
  server.answer = (_, response) => response.writeHead(200, { 'content-length': '100' }).write('begun')

  const file = await client.getFile({ realm_id: 1, shard: 'ab', filename: 'x' }, { signal: stop.signal })
  const text = file.text()
  stop.abort(new Error('enough'))
  await expect(text).rejects.toThrow('enough')
})

describe('a client cannot be created', () => {
  test.each([undefined, '', 'chat.example.com', 'localhost:9991', 'file:///chat'])(
    'with the URL %p',
    (url) => {
      expect(() => createClient({ url: url as string })).toThrow(/^url must be an address such as https:/)
    },
  )

  test('with credentials in its URL, which the message does not show', () => {
    const url = 'https://zoe:a-key@chat.example.com'
    expect(() => createClient({ url })).toThrow('url must have no credentials in it')
  })

  test('with only one of e-mail and key', () => {
    const { url } = server
    expect(() => createClient({ url, email: 'zoe@example.com' })).toThrow('apiKey is missing')
    expect(() => createClient({ url, apiKey: 'a key' })).toThrow('email is missing')
  })
})

describe('an error of the API', () => {
  test('has the code, the text, the status and the details', async () => {
    server.answer = (_, response) => refuse(response, 400, 'STREAM_DOES_NOT_EXIST', { stream: 'nowhere' })

    const err = await catchError(
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
    expect(server.requests).toHaveLength(1)
  })

  test('is identified by its code, which narrows its details', async () => {
    server.answer = (_, response) => refuse(response, 400, 'STREAM_DOES_NOT_EXIST', { stream: 'nowhere' })

    const err = await catchError(client.listTopics({ stream_id: 1 }))
    if (!(err instanceof ApiError)) throw err
    expect(err.is('BAD_REQUEST')).toBe(false)
    if (err.is('STREAM_DOES_NOT_EXIST')) expect(err.details.stream?.length).toBe(7)
    expect.assertions(2)
  })

  test('is thrown for a file too', async () => {
    server.answer = (_, response) => refuse(response, 404, 'BAD_REQUEST')

    const call = client.getFile({ realm_id: 1, shard: 'ab', filename: 'x' })
    await expect(call).rejects.toMatchObject({ name: 'ApiError', status: 404 })
  })
})

describe('a NoAnswerError', () => {
  test('is thrown for the answer of a proxy', async () => {
    server.answer = (_, response) => badGateway(response)

    const err = await catchError(client.getOwnUser({}, { retries: 0 }))
    expect(err).toBeInstanceOf(NoAnswerError)
    expect(err).toMatchObject({ status: 502, message: expect.stringContaining('502 Bad Gateway') })
  })

  test.each(['<p>Log in to this network</p>', 'null', '[]', '{"result":"success"'])(
    'is thrown for a success with the content %s',
    async (text) => {
      server.answer = (_, response) => response.end(text)

      const call = client.getOwnUser({}, { retries: 0 })
      await expect(call).rejects.toMatchObject({ name: 'NoAnswerError', status: 200 })
    },
  )

  test('is thrown for a broken connection, with the cause', async () => {
    server.answer = (_, response) => hangUp(response)

    const err = await catchError(client.getOwnUser({}, { retries: 0 }))
    expect(err).toMatchObject({ name: 'NoAnswerError', status: null, cause: { message: 'fetch failed' } })
  })

  test('is thrown for a connection that breaks during the answer', async () => {
    server.answer = (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"result":')
      setImmediate(() => hangUp(response))
    }

    const call = client.getOwnUser({}, { retries: 0 })
    await expect(call).rejects.toMatchObject({ name: 'NoAnswerError', status: null })
  })

  test('is thrown when the deadline passes', async () => {
    server.answer = () => {}

    const call = client.getOwnUser({}, { retries: 0, timeoutMs: 20 })
    await expect(call).rejects.toThrow(`getOwnUser: no answer came from ${server.url} in 20 ms`)
  })
})

describe('a retry', () => {
  const answers = (...answerers: FakeServer['answer'][]): void => {
    server.answer = (request, response) => answerers.shift()?.(request, response)
  }

  test('waits as long as the rate limit says', async () => {
    const retry = { 'retry-after': 0.3, headers: { 'retry-after': '1' } }
    answers(
      (_, response) => refuse(response, 429, 'RATE_LIMIT_HIT', retry),
      (_, response) => succeed(response),
    )

    const startedAt = performance.now()
    await client.addReaction({ message_id: 1, emoji_name: 'tada' })
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(299)
    expect(server.requests).toHaveLength(2)
  })

  test('can be turned off', async () => {
    server.answer = (_, response) => refuse(response, 429, 'RATE_LIMIT_HIT', { 'retry-after': 0.1 })

    const careful = createClient({ url: server.url, retries: 0 })
    await expect(careful.getOwnUser()).rejects.toMatchObject({ status: 429, retryAfterSeconds: 0.1 })
    expect(server.requests).toHaveLength(1)
  })

  test('is not made if it would have to wait for long', async () => {
    server.answer = (_, response) =>
      refuse(response, 429, 'RATE_LIMIT_HIT', { headers: { 'retry-after': '3600' } })

    await expect(client.getOwnUser()).rejects.toMatchObject({ retryAfterSeconds: 3600 })
    expect(server.requests).toHaveLength(1)
  })

  test('is made for operations that only read', async () => {
    answers(
      (_, response) => hangUp(response),
      (_, response) => badGateway(response),
      (_, response) => refuse(response, 503, 'SERVICE_UNAVAILABLE'),
      (_, response) => succeed(response, { user_id: 7 }),
    )

    expect(await client.getOwnUser()).toMatchObject({ user_id: 7 })
  })

  test('sends a message with the same idempotency key', async () => {
    answers(
      (_, response) => hangUp(response),
      (_, response) => succeed(response, { id: 7 }),
    )
    await client.sendMessage({ type: 'direct', to: [9], content: 'x' })
    server.answer = (_, response) => succeed(response, { id: 8 })
    await client.sendMessage({ type: 'direct', to: [9], content: 'x' })

    const [first, second, other] = server.requests.map(({ headers }) => headers['idempotency-key'])
    expect(first).toMatch(/^[\da-f]{32}$/)
    expect(second).toBe(first)
    expect(other).not.toBe(first)
  })

  test('is not made for operations that change something', async () => {
    answers((_, response) => hangUp(response))

    await expect(client.addReaction({ message_id: 1, emoji_name: 'tada' })).rejects.toThrow('no answer came')
    expect(server.requests).toHaveLength(1)
  })
})

describe('signing in', () => {
  test('exchanges the password for a key, and uses it', async () => {
    server.answer = ({ path }, response) =>
      succeed(response, path.endsWith('key') ? { api_key: 'the key', email: 'user7@example.com' } : {})

    const signedIn = await signIn(server.url, { username: 'zoé@example.com', password: 'a password' })
    expect(signedIn.options).toMatchObject({ email: 'user7@example.com', apiKey: 'the key' })
    await signedIn.getOwnUser()
    expect(server.requests).toMatchObject([
      { path: '/api/v1/fetch_api_key', fields: { username: 'zoé@example.com', password: 'a password' } },
      { headers: { authorization: `Basic ${Buffer.from('user7@example.com:the key').toString('base64')}` } },
    ])
  })
})

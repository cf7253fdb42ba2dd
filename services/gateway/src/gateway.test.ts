import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { createUserTokenVerifier } from '@tms/service-kit'
import { describe, expect } from 'vitest'
import { answersIn, openRaw } from '../test/raw-client.ts'
import {
  type Answer,
  admitSpectators,
  authorization,
  basic,
  caller,
  identify,
  KEY,
  noChanges,
  reply,
  type TestGateway,
  TOKEN,
  test,
  textOf,
  token,
  type Upstream,
  until,
  userKeys,
} from '../test/start-gateway.ts'

describe.concurrent('the gateway', () => {
  test('forwards a request with its caller to the service that owns the endpoint, and returns the answer', async ({
    startGateway,
  }) => {
    const { url, messaging } = await startGateway()
    const verify = createUserTokenVerifier(userKeys.publicKey)
    let sent = { body: '', headers: {} as IncomingMessage['headers'] }
    messaging.answer = async (incoming, response) => {
      sent = { body: await textOf(incoming), headers: incoming.headers }
      reply(response, 200, { id: 7 })
    }

    const answer = await fetch(`${url}/api/v1/messages`, {
      method: 'POST',
      headers: { authorization, 'x-request-id': 'mine-1', 'x-forwarded-for': '6.6.6.6', te: 'trailers' },
      body: new URLSearchParams({ type: 'channel', content: 'hällo' }),
    })

    expect(await answer.json()).toEqual({ result: 'success', id: 7 })
    expect(answer.headers.get('x-request-id')).toBe('mine-1')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(sent.body).toBe('type=channel&content=h%C3%A4llo')
    expect(sent.headers).toMatchObject({
      'x-request-id': 'mine-1',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': new URL(url).host,
    })
    expect(sent.headers['te']).toBeUndefined()
    const caller = verify(String(sent.headers.authorization).replace('Bearer ', ''))
    expect(caller).toEqual({ userId: 11, realmId: 2, role: 100, isBot: false })
  })

  test('forwards a request with an API token as one by that token, if it has the scope', async ({
    startGateway,
  }) => {
    const { url, messaging } = await startGateway()
    const verify = createUserTokenVerifier(userKeys.publicKey)
    const callers: unknown[] = []
    messaging.answer = async (incoming, response) => {
      callers.push(verify(String(incoming.headers.authorization).replace('Bearer ', '')))
      reply(response, 200, {})
    }
    const headers = { authorization: `Bearer ${TOKEN}` }

    const [read, sent] = [
      await fetch(`${url}/api/v1/drafts`, { headers }),
      await fetch(`${url}/api/v1/messages`, { method: 'POST', headers }),
    ]

    expect([read.status, sent.status]).toEqual([200, 403])
    expect(await sent.json()).toMatchObject({ code: 'TOKEN_SCOPE_REQUIRED', scope: 'send' })
    expect(callers).toEqual([{ userId: 11, realmId: 2, role: 100, isBot: false, tokenId: 5 }])
  })

  test('refuses an API token if users does not say to which channels it is limited, if to any', async ({
    startGateway,
  }) => {
    const { url, users, messaging } = await startGateway()
    const { channel_ids: _, ...unsaid } = token
    const asked: unknown[] = []
    users.answer = async (incoming, response) => {
      if (incoming.url !== '/internal/identify-token') return identify(incoming, response)
      asked.push(JSON.parse(await textOf(incoming)))
      reply(response, 200, unsaid)
    }

    const answer = await fetch(`${url}/api/v1/drafts`, { headers: { authorization: `Bearer ${TOKEN}` } })

    expect(answer.status).toBe(503)
    expect(asked[0]).toMatchObject({ token: TOKEN, knows_channel_limits: true })
    expect(messaging.requestLines).toEqual([])
  })

  test('refuses a poll when its API token expires, also if users counts it as valid for a moment longer', async ({
    startGateway,
  }) => {
    const { url, users, events, events2 } = await startGateway()
    for (const one of [events, events2]) one.answer = () => {}
    let identified = 0
    users.answer = async (incoming, response) => {
      if (incoming.url !== '/internal/identify-token') return identify(incoming, response)
      if (++identified <= 2) return reply(response, 200, { ...token, expires_in_ms: 300 })
      reply(response, 401, {
        result: 'error',
        code: 'AUTHENTICATION_FAILED',
        msg: 'The API token has expired',
      })
    }

    const answer = await fetch(`${url}/api/v1/events?queue_id=q&last_event_id=0`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    })

    expect([answer.status, identified]).toEqual([401, 3])
  })

  test('verifies the same credentials of concurrent calls with one request to users', async ({
    startGateway,
  }) => {
    const { url, users } = await startGateway()

    const answers = await Promise.all(Array.from({ length: 20 }, () => get(`${url}/api/v1/messages`)))

    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(users.requestLines.filter((line) => line === 'POST /internal/identify')).toHaveLength(1)
  })

  test('lets an incoming webhook bot send messages only', async ({ startGateway }) => {
    const { url, users, messaging } = await startGateway()
    users.answer = (_incoming, response) => reply(response, 200, { ...caller, is_incoming_webhook: true })

    const sent = await post(`${url}/api/v1/messages`, 'content=x')
    const refused = [await get(`${url}/api/v1/messages`), await get(`${url}/api/v1/users/me`)]

    expect(sent.status).toBe(200)
    for (const answer of refused) {
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /)
      expect(await answer.json()).toMatchObject({ code: 'UNAUTHORIZED' })
    }
    expect(messaging.requestLines).toEqual(['POST /api/v1/messages'])
  })

  test('needs no credentials for a public endpoint, and forwards an anonymous caller to services', async ({
    startGateway,
  }) => {
    const { url, realm } = await startGateway()
    const verify = createUserTokenVerifier(userKeys.publicKey)
    let caller: unknown = 'no request'
    realm.answer = (incoming, response) => {
      caller = verify(String(incoming.headers.authorization).replace('Bearer ', ''))
      reply(response, 200, {})
    }

    const answer = await fetch(`${url}/api/v1/server_settings`)

    expect(answer.status).toBe(200)
    expect(caller).toBeNull()
  })

  test.for<[string, string | undefined, number, string]>([
    ['no credentials', undefined, 401, 'UNAUTHORIZED'],
    ['a wrong key', basic('iago@example.com', 'w'.repeat(32)), 401, 'UNAUTHORIZED'],
    ['a header that is not base64', 'Basic ???', 401, 'UNAUTHORIZED'],
    ['another scheme', 'Bearer abc', 400, 'BAD_REQUEST'],
  ])('refuses %s', async ([, header, status, code], { startGateway }) => {
    const { url } = await startGateway()

    const answer = await fetch(`${url}/api/v1/messages`, header ? { headers: { authorization: header } } : {})

    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ result: 'error', code })
    expect(answer.headers.has('www-authenticate')).toBe(status === 401)
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.for<[string, string, number, string]>([
    ['GET', '/api/v1/nothing', 404, 'NOT_FOUND'],
    ['GET', '/elsewhere', 404, 'NOT_FOUND'],
    ['PUT', '/api/v1/messages', 405, 'METHOD_NOT_ALLOWED'],
    ['TRACE', '/api/v1/messages', 405, 'METHOD_NOT_ALLOWED'],
    ['GET', '/api/v1/%zz', 400, 'BAD_REQUEST'],
  ])('answers %s %s with JSON', async ([method, path, status, code], { startGateway }) => {
    const { url } = await startGateway()

    const answer = await send(url, { method, path })

    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body)).toMatchObject({ result: 'error', code })
  })

  test('streams an upload to its service, up to the largest allowed size', async ({ startGateway }) => {
    const { url, messaging, messaging2 } = await startGateway()
    const received: number[] = []
    const take: Answer = async (incoming, response) => {
      let bytes = 0
      for await (const chunk of incoming) received.push((bytes += (chunk as Buffer).length))
      reply(response, 200, { bytes })
    }
    messaging.answer = take
    messaging2.answer = take
    let sendRest = () => {}
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        stream.enqueue(new Uint8Array(4_000_000))
        sendRest = () => {
          stream.enqueue(new Uint8Array(1_000_000))
          stream.close()
        }
      },
    })

    const upload = { method: 'POST', headers: { authorization }, duplex: 'half' } as const
    const answered = fetch(`${url}/api/v1/user_uploads`, { ...upload, body })
    await until(() => received.at(-1) === 4_000_000)
    sendRest()

    expect(await (await answered).json()).toMatchObject({ bytes: 5_000_000 })
    const tooLarge = new Uint8Array(27_000_000)
    const refused = await fetch(`${url}/api/v1/user_uploads`, { ...upload, body: tooLarge })
    expect(refused.status).toBe(400)
  })

  test('lets spectators read while their organization allows it', async ({ startGateway }) => {
    const { url, realm, messaging, messaging2 } = await startGateway()
    const verify = createUserTokenVerifier(userKeys.publicKey)
    const tellCaller: Answer = (incoming, response) =>
      reply(response, 200, { caller: verify(String(incoming.headers.authorization).replace('Bearer ', '')) })
    messaging.answer = tellCaller
    messaging2.answer = tellCaller
    const paths = ['/user_uploads/1/a0/x/a.png', '/api/v1/messages']
    const wrong = { headers: { authorization: basic('x@example.com', KEY) } }

    realm.answer = admitSpectators(2)
    for (const path of paths) {
      expect(await (await get(`${url}${path}`)).json()).toMatchObject({ caller: { userId: 11 } })
      expect(await (await fetch(`${url}${path}`)).json()).toEqual({
        result: 'success',
        caller: { userId: null, realmId: 2 },
      })
      expect((await fetch(`${url}${path}`, wrong)).status).toBe(401)
    }
    expect((await fetch(`${url}/api/v1/drafts`)).status).toBe(401)

    realm.answer = admitSpectators(null)
    for (const path of paths) expect((await fetch(`${url}${path}`)).status).toBe(401)
  })

  test.for<[string, number, string, number]>([
    ['does not know spectators, as an earlier release,', 404, 'NOT_FOUND', 401],
    ['is away', 503, 'SERVICE_UNAVAILABLE', 503],
  ])('lets no spectator read while realm %s', async ([, answered, code, status], { startGateway }) => {
    const { url, realm, messaging } = await startGateway()
    realm.answer = (_incoming, response) => reply(response, answered, { result: 'error', code, msg: 'no' })

    expect((await fetch(`${url}/api/v1/messages`)).status).toBe(status)
    expect(messaging.requestLines).toEqual([])
  })

  test('answers OPTIONS with the methods of a path, also to browsers', async ({ startGateway }) => {
    const { url } = await startGateway()

    const answer = await fetch(`${url}/api/v1/events`, { method: 'OPTIONS' })

    expect(answer.status).toBe(204)
    expect(answer.headers.get('allow')).toBe('GET, DELETE, OPTIONS')
    expect(answer.headers.get('access-control-allow-headers')).toContain('authorization')
  })

  test.for(['with', 'without'])(
    'refuses a body that is too large, %s a length',
    async (length, { startGateway }) => {
      const { url, messaging } = await startGateway()
      messaging.answer = async (incoming, response) => {
        await textOf(incoming)
        reply(response, 200, {})
      }
      const headers = length === 'with' ? { 'content-length': String(2 ** 21) } : {}

      const answer = await send(url, {
        ...{ method: 'POST', path: '/api/v1/messages' },
        ...{ headers: { authorization, ...headers }, body: 'x'.repeat(2 ** 21) },
      })

      expect(answer.status).toBe(413)
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'REQUEST_TOO_LARGE' })
    },
  )

  test.for<[string, string, string, string]>([
    ['with a length', `Content-Length: 34\r\n\r\n`, 'alert_words=["go"]&meth', 'od=DELETE&a'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n', '5\r\na=b&m\r\n', 'c\r\nethod=DELETE\r\n0\r\n\r\n'],
  ])(
    'uses the method in a form that arrives in pieces %s, and forwards the whole form',
    async ([, head, first, second], { startGateway }) => {
      const { url, users } = await startGateway()
      const identified = users.answer
      let body = ''
      users.answer = async (incoming, response) => {
        if (!incoming.url?.startsWith('/api/')) return identified(incoming, response)
        body = await textOf(incoming)
        reply(response, 200, {})
      }
      const form = `Authorization: ${authorization}\r\nContent-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n`
      const client = openRaw(
        url,
        `POST /api/v1/users/me/alert_words HTTP/1.1\r\nHost: x\r\n${form}${head}${first}`,
      )
      await until(() => !client.socket.connecting)
      client.socket.write(second)

      expect(answersIn(await client.ended)).toMatchObject([{ status: 200 }])
      expect(users.requestLines.at(-1)).toBe('DELETE /api/v1/users/me/alert_words')
      expect(body).toMatch(/method=DELETE/)
    },
  )

  test('serves its documents', async ({ startGateway }) => {
    const { url } = await startGateway()

    const document = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as { paths: object }
    const about = (await (await fetch(url)).json()) as { openapi: string }

    expect(Object.keys(document.paths)).toContain('/messages')
    expect(about.openapi).toBe('/api/v1/openapi.json')
  })

  test('refuses cached identities while neither Redis nor users can say whether they changed', async ({
    startGateway,
  }) => {
    const { url, users } = await startGateway()
    await get(`${url}/api/v1/messages`)
    await users.kill()

    const known = await get(`${url}/api/v1/messages`)

    expect(known.status).toBe(503)
    expect(known.headers.get('retry-after')).toBe('2')
  })
})

describe.concurrent('a pending poll', () => {
  /** Users reports one change of the caller, and is asked for it since there is no Redis to announce it. */
  const announceChange = (url: string, users: Upstream, identified: Answer) => {
    let isAnnounced = false
    users.answer = (incoming, response) => {
      if (incoming.url !== '/internal/user-changes') return identified(incoming, response)
      const { changes } = noChanges
      const identity_user_ids = isAnnounced ? [] : [caller.user_id]
      reply(response, 200, { cursor: '2', changes: { ...changes, identity_user_ids } })
      isAnnounced = true
    }
    void get(`${url}/api/v1/messages`)
  }
  const refuse =
    (code: string): Answer =>
    (_incoming, response) =>
      reply(response, 401, { result: 'error', code, msg: 'Not any more' })
  const startPendingPoll = async (starting: Promise<TestGateway>) => {
    const { url, users, events } = await starting
    let answer = () => {}
    let isEnded = false
    events.answer = (incoming, response) => {
      incoming.socket.once('close', () => (isEnded = true))
      answer = () => reply(response, 200, { queue_id: 'q', events: [{ id: 1 }] })
    }
    const poll = get(`${url}/api/v1/events?queue_id=q`)
    await until(() => events.requestLines.length === 1)
    return { url, users, poll, answer: () => answer(), isEnded: () => isEnded }
  }

  test('with a replaced API key is refused and aborted at its service', async ({ startGateway }) => {
    const { url, users, poll, isEnded } = await startPendingPoll(startGateway({ EVENTS_URL: 1 }))

    announceChange(url, users, refuse('AUTHENTICATION_FAILED'))

    const answer = await poll
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ code: 'UNAUTHORIZED', msg: 'Not any more' })
    await until(isEnded)
  })

  test('is ended with an answer to poll again if users cannot be asked about a change', async ({
    startGateway,
  }) => {
    const { url, users, poll } = await startPendingPoll(startGateway({ EVENTS_URL: 1 }))

    announceChange(url, users, (_incoming, response) => response.destroy())

    expect(await (await poll).json()).toEqual({ result: 'success', msg: '', queue_id: 'q', events: [] })
  })

  test.for<[string, Answer]>([
    ['whose account changed otherwise', (...args) => identify(...args)],
    ['whose account was deactivated', refuse('UNAUTHORIZED')],
  ])('of a user %s gets the answer of its service', async ([, identified], { startGateway }) => {
    const { url, users, poll, answer } = await startPendingPoll(startGateway({ EVENTS_URL: 1 }))
    let isAnswered = false
    announceChange(url, users, (incoming, response) => {
      response.once('finish', () => (isAnswered = true))
      identified(incoming, response)
    })
    await until(() => isAnswered)
    answer()

    expect(await (await poll).json()).toMatchObject({ events: [{ id: 1 }] })
  })
})

describe.concurrent('replicas', () => {
  test('are used in turn, and an unavailable one is skipped for any method', async ({ startGateway }) => {
    const { url, messaging, messaging2 } = await startGateway()
    for (let i = 0; i < 4; i++) await get(`${url}/api/v1/messages`)
    expect([messaging.requestLines.length, messaging2.requestLines.length]).toEqual([2, 2])
    await messaging.kill()

    const answers = []
    for (let i = 0; i < 4; i++) answers.push(await post(`${url}/api/v1/messages`, 'content=x'))

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  test('get a GET that another one lost, but never a POST that may have had an effect', async ({
    startGateway,
  }) => {
    const { url, messaging, messaging2 } = await startGateway()
    const die: Answer = (incoming) => incoming.socket.destroy()
    messaging.answer = messaging2.answer = die

    const refused = await post(`${url}/api/v1/messages`, 'content=x')
    const posts = [...messaging.requestLines, ...messaging2.requestLines].filter((line) =>
      line.startsWith('POST'),
    )
    messaging2.answer = (_incoming, response) => reply(response, 200, {})
    const repeated = await get(`${url}/api/v1/messages`)

    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('2')
    expect(posts).toHaveLength(1)
    expect(repeated.status).toBe(200)
  })

  test('take over the pending polls of one that dies', async ({ startGateway }) => {
    const { url, events, events2 } = await startGateway()
    events.answer = () => {}
    events2.answer = () => {}
    const poll = get(`${url}/api/v1/events?queue_id=q1`)
    await until(() => events.requestLines.length + events2.requestLines.length === 1)
    const [holder, other] = events.requestLines.length === 1 ? [events, events2] : [events2, events]
    other.answer = (_incoming, response) => reply(response, 200, { queue_id: 'q1', events: [{ id: 1 }] })

    await holder.kill()

    expect(await (await poll).json()).toMatchObject({ result: 'success', events: [{ id: 1 }] })
  })

  test.for<[string, (url: string) => Promise<Response>, number]>([
    ['a GET goes to another', (url) => get(url), 200],
    ['a POST, which may have been done, is refused', (url) => post(url, 'content=x'), 503],
  ])('that send no progress are given up: %s', async ([, ask, expected], { startGateway }) => {
    const { url, messaging } = await startGateway({}, { SILENT_REPLICA_SECONDS: '1' })
    messaging.answer = () => {}

    // One poll for each replica.
    const answers = await Promise.all([ask(`${url}/api/v1/messages`), ask(`${url}/api/v1/messages`)])

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, expected])
  })

  test('that report progress are waited for, also if there is only one', async ({ startGateway }) => {
    const { url, events } = await startGateway({ EVENTS_URL: 1 }, { SILENT_REPLICA_SECONDS: '1' })
    const polled: number[] = []
    events.answer = (_incoming, response) => {
      polled.push(performance.now())
      // Only the first poll gets signs of progress.
      if (polled.length > 1) return reply(response, 200, { queue_id: 'q1', events: [{ id: polled.length }] })
      let sent = 0
      const timer = setInterval(() => {
        response.writeProcessing()
        if (++sent === 4) clearInterval(timer)
      }, 500)
    }

    const answer = await get(`${url}/api/v1/events?queue_id=q1`)

    expect(await answer.json()).toMatchObject({ result: 'success', events: [{ id: 2 }] })
    const [begun = 0, again = 0] = polled
    expect(again - begun).toBeGreaterThan(2_500)
  })

  test('are notified at once if a client disconnects', async ({ startGateway }) => {
    const { url, events } = await startGateway({ EVENTS_URL: 1 })
    let isGone = false
    events.answer = (incoming) => void incoming.socket.once('close', () => (isGone = true))
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `GET /api/v1/events?queue_id=q HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`,
    )
    await until(() => events.requestLines.length === 1)

    socket.destroy()

    await until(() => isGone)
  })
})

describe.concurrent('stopping', () => {
  test('ends pending polls with an answer that lets clients poll again', async ({ startGateway }) => {
    const { url, events, close } = await startGateway({ EVENTS_URL: 1 })
    events.answer = () => {}
    const poll = get(`${url}/api/v1/events?queue_id=a%2Fb&last_event_id=3`)
    await until(() => events.requestLines.length === 1)

    const startedAt = Date.now()
    await close()

    expect(await (await poll).json()).toEqual({ result: 'success', msg: '', queue_id: 'a/b', events: [] })
    expect(Date.now() - startedAt).toBeLessThan(1_000)
  })

  test('asks clients that register a queue to try again', async ({ startGateway }) => {
    const { url, events, close } = await startGateway({ EVENTS_URL: 1 })
    events.answer = () => {}
    const poll = get(`${url}/api/v1/events`)
    await until(() => events.requestLines.length === 1)

    await close()

    const answer = await poll
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ msg: 'The server is restarting; try again shortly' })
  })

  test('lets requests in flight finish', async ({ startGateway }) => {
    const { url, messaging, messaging2, close } = await startGateway()
    let finish = () => {}
    messaging.answer = messaging2.answer = (_incoming, response) => {
      finish = () => reply(response, 200, { id: 1 })
    }
    const sending = post(`${url}/api/v1/messages`, 'content=x')
    await until(() => messaging.requestLines.length + messaging2.requestLines.length === 1)

    const closed = close()
    finish()

    expect((await sending).status).toBe(200)
    await closed
  })
})

function get(url: string): Promise<Response> {
  return fetch(url, { headers: { authorization } })
}

function post(url: string, body: string): Promise<Response> {
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' }
  return fetch(url, { method: 'POST', headers, body })
}

/** Sends what fetch refuses to send. */
function send(
  url: string,
  options: { method: string; path: string; headers?: Record<string, string>; body?: string },
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, async (answer) =>
      resolve({ status: answer.statusCode ?? 0, body: await textOf(answer) }),
    )
    outgoing.on('error', reject)
    outgoing.end(options.body)
  })
}

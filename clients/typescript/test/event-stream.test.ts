import { test as base, describe, expect } from 'vitest'
import { type Client, createClient, type EventStreamOptions, type Problem } from '../src/index.ts'
import { FakeQueues } from './fake-queues.ts'
import { badGateway, type FakeServer, hangUp, refuse } from './fake-server.ts'

/** A running loop over a stream, and what it has received so far. */
interface Loop {
  readonly received: string[]
  readonly problems: Problem[]
  readonly ended: Promise<void>
}

const nameOf = (item: { readonly type: string; readonly id?: number; readonly isFirst?: boolean }): string =>
  `${item.type}${item.id ?? ''}${item.isFirst ? ' first' : ''}`

/** Tests have a server and a client of their own and run side by side, since most of their time is the client's pauses. */
const test = base
  .extend('stop', () => new AbortController())
  .extend('fake', async ({ stop, onTestFinished }) => {
    const fake = await FakeQueues.start()
    onTestFinished(() => {
      stop.abort()
      return fake.server.close()
    })
    return fake
  })
  .extend('client', ({ fake }) =>
    createClient({ url: fake.server.url, email: 'a@example.com', apiKey: 'a key' }),
  )
  /** Loops over a stream until it is stopped; `onItem` may end the loop by returning true. */
  .extend(
    'loop',
    ({ stop, client }) =>
      (
        options: EventStreamOptions = {},
        {
          onItem = () => false,
          through = client,
        }: { onItem?: (name: string) => boolean; through?: Client } = {},
      ): Loop => {
        const received: string[] = []
        const problems: Problem[] = []
        const run = async (): Promise<void> => {
          const onRetry = (problem: Problem) => problems.push(problem)
          for await (const item of through.events({ signal: stop.signal, onRetry, ...options })) {
            received.push(nameOf(item))
            if (onItem(nameOf(item))) break
          }
        }
        return { received, problems, ended: run() }
      },
  )

describe.concurrent('a stream', () => {
  test('begins with the state, and continues with events', async ({ fake, loop }) => {
    const { received } = loop({ event_types: ['message', 'reaction'] })
    await fake.waitUntil(() => fake.isPolled)
    fake.publish('message')
    fake.publish('reaction')
    await fake.waitUntil(() => fake.isPolled && received.length === 3)

    expect(received).toEqual(['registered first', 'message10', 'reaction20'])
    expect(fake.registered).toMatchObject([{ event_types: '["message","reaction"]' }])
  })

  test('requests events in their current form by default', async ({ fake, loop }) => {
    loop()
    loop({ client_capabilities: { notification_settings_null: false } })
    await fake.waitUntil(() => fake.registered.length === 2)

    expect(fake.registered.map(({ client_capabilities = '' }) => client_capabilities).sort()).toEqual([
      '{"notification_settings_null":false}',
      expect.stringContaining('"user_settings_object":true'),
    ])
    expect(fake.registered[0]).not.toHaveProperty('signal')
  })

  test('does not yield heartbeats', async ({ fake, loop }) => {
    const { received } = loop()
    await fake.waitUntil(() => fake.isPolled)
    fake.sendHeartbeats()
    await fake.waitUntil(() => !fake.isPolled)
    await fake.waitUntil(() => fake.isPolled)
    fake.publish('message')
    await fake.waitUntil(() => received.length === 2)

    expect(received).toEqual(['registered first', 'message10'])
  })

  test('waits for a server that is starting', async ({ fake, loop }) => {
    const starting: FakeServer['answer'][] = [
      (_, response) => badGateway(response),
      (_, response) => hangUp(response),
      (_, response) => refuse(response, 503, 'SERVICE_UNAVAILABLE'),
      (_, response) => refuse(response, 500, 'INTERNAL'),
    ]
    for (const answer of starting) fake.failNext('/register', answer)
    let refused = 1
    const url = fake.server.url
    const startLate = (input: string | URL | Request, init?: RequestInit) =>
      fetch(refused-- > 0 ? 'http://127.0.0.1:2' : input, init)
    const { received, problems } = loop({}, { through: createClient({ url, fetch: startLate }) })
    await fake.waitUntil(() => fake.isPolled)

    expect(received).toEqual(['registered first'])
    expect(problems).toHaveLength(5)
    expect(problems[0]?.error.message).toBe(
      `register: no answer came from ${url}: connect ECONNREFUSED 127.0.0.1:2`,
    )
  })

  test.for(['EHOSTUNREACH', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])(
    'waits for a server whose host is starting (%s)',
    async (code, { fake, loop }) => {
      let failing = 4
      const startLate = (input: string | URL | Request, init?: RequestInit) => {
        const cause = Object.assign(new Error(code), { code })
        return failing-- > 0 ? Promise.reject(new TypeError('fetch failed', { cause })) : fetch(input, init)
      }
      const through = createClient({ url: fake.server.url, fetch: startLate })
      const { received, problems } = loop({}, { through })
      await fake.waitUntil(() => fake.isPolled)

      expect(received).toEqual(['registered first'])
      expect(problems).toHaveLength(4)
    },
  )

  test('can be iterated only once', async ({ client, stop }) => {
    const stream = client.events({ signal: stop.signal })
    const first = stream[Symbol.asyncIterator]()
    await first.next()

    await expect(stream[Symbol.asyncIterator]().next()).rejects.toThrow('in use already')
  })

  test('has a queue of its own', async ({ fake, loop }) => {
    const loops = [loop(), loop()]
    await fake.waitUntil(() => [...fake.queues.values()].filter(({ poll }) => poll).length === 2)
    fake.publish('message')
    await fake.waitUntil(() => loops.every(({ received }) => received.length === 2))

    expect(loops.map(({ received }) => received)).toEqual(Array(2).fill(['registered first', 'message10']))
  })
})

describe.concurrent('a stream continues', () => {
  test('when the connection of its poll breaks, without missing or repeating an event', async ({
    fake,
    loop,
  }) => {
    const { received, problems } = loop()
    await fake.waitUntil(() => fake.isPolled)
    fake.publish('message')
    await fake.waitUntil(() => fake.isPolled && received.length === 2)
    fake.dropConnections()
    fake.publish('message')
    await fake.waitUntil(() => received.length === 3)

    expect(received).toEqual(['registered first', 'message10', 'message20'])
    expect(problems).toMatchObject([{ error: { name: 'NoAnswerError' }, delayMs: expect.any(Number) }])
    expect(fake.registered).toHaveLength(1)
  })

  test('when an answer is lost and sent again', async ({ fake, loop }) => {
    const { received } = loop()
    await fake.waitUntil(() => fake.isPolled)
    fake.publish('message')
    await fake.waitUntil(() => fake.isPolled && received.length === 2)
    // Cuts off the answer to the next poll.
    fake.failNext('/events', (_, response) => {
      const begin = '{"result":"success","events":[{"id":30,"type":"message"}'
      response.writeHead(200, { 'content-type': 'application/json' }).write(begin)
      setImmediate(() => hangUp(response))
    })
    fake.publish('message')
    fake.publish('message')
    await fake.waitUntil(() => fake.isPolled && received.length === 4)

    expect(received).toEqual(['registered first', 'message10', 'message20', 'message30'])
  })

  test('when a server repeats acknowledged events', async ({ fake, loop }) => {
    const { received } = loop()
    await fake.waitUntil(() => fake.isPolled)
    fake.publish('message')
    await fake.waitUntil(() => fake.isPolled && received.length === 2)
    const again = { id: 10, type: 'message' }
    for (const { poll } of fake.queues.values()) {
      const events = [again, { id: 11, type: 'message' }]
      poll?.response.end(JSON.stringify({ result: 'success', msg: '', events }))
    }
    await fake.waitUntil(() => received.length === 3)

    expect(received).toEqual(['registered first', 'message10', 'message11'])
  })

  test.for([
    ['a proxy answers', (_: unknown, response) => badGateway(response)],
    ['the service is unavailable', (_: unknown, response) => refuse(response, 503, 'SERVICE_UNAVAILABLE')],
    [
      'it hits the rate limit',
      (_: unknown, response) => refuse(response, 429, 'RATE_LIMIT_HIT', { 'retry-after': 0.01 }),
    ],
    ['the server has a bug', (_: unknown, response) => refuse(response, 500, 'INTERNAL')],
    ['the answer is no JSON', (_: unknown, response) => response.end('<p>Log in to this network</p>')],
  ] as [string, Parameters<FakeQueues['failNext']>[1]][])('when %s', async ([, answer], { fake, loop }) => {
    fake.failNext('/events', answer)
    const { received, problems } = loop()
    await fake.waitUntil(() => fake.isPolled)
    fake.publish('message')
    await fake.waitUntil(() => received.length === 2)

    expect(received).toEqual(['registered first', 'message10'])
    expect(problems).toHaveLength(1)
    expect(fake.registered).toHaveLength(1)
  })

  test('with a new state when its queue no longer exists', async ({ fake, loop }) => {
    const { received } = loop()
    await fake.waitUntil(() => fake.isPolled)
    fake.dropAll()
    await fake.waitUntil(() => fake.isPolled)
    fake.publish('message')
    await fake.waitUntil(() => received.length === 3)

    expect(received).toEqual(['registered first', 'registered', 'message10'])
  })

  test('when registering again fails for a while', async ({ fake, loop }) => {
    const { received, problems } = loop()
    await fake.waitUntil(() => fake.isPolled)
    for (let i = 0; i < 4; i++) fake.failNext('/register', (_, response) => hangUp(response))
    fake.dropAll()
    await fake.waitUntil(() => fake.isPolled)

    expect(received).toEqual(['registered first', 'registered'])
    expect(problems).toHaveLength(4)
  })

  test('more slowly when each new queue disappears at once', async ({ fake, loop }) => {
    const queueMissing = (_: unknown, response: Parameters<typeof refuse>[0]) =>
      refuse(response, 400, 'BAD_EVENT_QUEUE_ID')
    for (let i = 0; i < 3; i++) fake.failNext('/events', queueMissing)
    const startedAt = performance.now()
    const { received } = loop()
    await fake.waitUntil(() => fake.isPolled)

    expect(received).toEqual(['registered first', 'registered', 'registered', 'registered'])
    // 125, 250 and 500 ms at least.
    expect(performance.now() - startedAt).toBeGreaterThan(800)
  })

  test('with a new state when the loop renews it', async ({ fake, client, stop }) => {
    const stream = client.events({ signal: stop.signal })
    const received: string[] = []
    const run = async () => {
      for await (const item of stream) {
        received.push(nameOf(item))
        if (item.type === 'restart') stream.renew()
      }
    }
    void run()
    await fake.waitUntil(() => fake.isPolled)
    fake.publish('restart')
    await fake.waitUntil(() => fake.registered.length === 2 && fake.isPolled)
    fake.publish('message')
    await fake.waitUntil(() => received.length === 4)

    expect(received).toEqual(['registered first', 'restart10', 'registered', 'message20'])
    expect([...fake.queues.keys()]).toEqual(['queue 2'])
  })
})

describe.concurrent('a stream ends', () => {
  test('when its signal is aborted, and deletes its queue', async ({ fake, loop, stop }) => {
    const { ended, received } = loop()
    await fake.waitUntil(() => fake.isPolled)
    stop.abort()
    await ended

    expect(received).toEqual(['registered first'])
    expect(fake.queues.size).toBe(0)
  })

  test('when its loop ends, and deletes its queue', async ({ fake, loop }) => {
    const { ended, received } = loop({}, { onItem: (name) => name === 'message10' })
    await fake.waitUntil(() => fake.isPolled)
    fake.publish('message')
    fake.publish('message')
    await ended

    expect(received).toEqual(['registered first', 'message10'])
    expect(fake.queues.size).toBe(0)
  })

  test('when it is stopped between two events of an answer', async ({ fake, loop, stop }) => {
    const { ended, received } = loop(
      {},
      {
        onItem: () => {
          if (received.length === 2) stop.abort()
          return false
        },
      },
    )
    await fake.waitUntil(() => fake.isPolled)
    const [queue] = fake.queues.values()
    queue?.events.push({ id: 10, type: 'message' }, { id: 11, type: 'message' })
    fake.publish('message')
    await ended

    expect(received).toEqual(['registered first', 'message10'])
  })

  test('while it registers, and leaves no queue behind', async ({ fake, loop, stop }) => {
    let answerRegister = () => {}
    fake.failNext('/register', (request, response) => {
      answerRegister = () => fake.answerNormally(request, response)
      stop.abort()
    })
    const { ended, received } = loop()
    await fake.waitUntil(() => stop.signal.aborted)
    answerRegister()
    await ended

    expect(received).toEqual([])
    expect(fake.registered).toHaveLength(1)
    expect(fake.queues.size).toBe(0)
  })

  test('before it begins if its signal is aborted already', async ({ fake, loop, stop }) => {
    stop.abort()
    await loop().ended

    expect(fake.server.requests).toEqual([])
  })

  test('while it waits for a retry', async ({ fake, loop, stop }) => {
    const { ended, problems } = loop()
    await fake.waitUntil(() => fake.isPolled)
    fake.failNext('/events', (_, response) =>
      refuse(response, 429, 'RATE_LIMIT_HIT', { 'retry-after': 3_600 }),
    )
    fake.sendHeartbeats()
    await fake.waitUntil(() => !fake.isPolled)
    while (problems.length === 0) await new Promise(setImmediate)
    stop.abort()
    await ended

    expect(fake.queues.size).toBe(0)
  })

  test('with the error if the server rejects a poll', async ({ fake, loop }) => {
    const { ended } = loop()
    await fake.waitUntil(() => fake.isPolled)
    fake.failNext('/events', (_, response) => refuse(response, 401, 'USER_DEACTIVATED'))
    fake.sendHeartbeats()

    await expect(ended).rejects.toMatchObject({ name: 'ApiError', code: 'USER_DEACTIVATED' })
  })

  test('with the last error if the server does not start in time', async ({ fake, loop }) => {
    fake.server.answer = (_, response) => badGateway(response)
    const startedAt = performance.now()
    const { ended, problems } = loop({ startTimeoutMs: 2_000 })

    await expect(ended).rejects.toMatchObject({ name: 'NoAnswerError', status: 502 })
    expect(performance.now() - startedAt).toBeGreaterThan(1_990)
    expect(problems.length).toBeGreaterThan(1)
  })

  test('with an error if the server does not answer in time', async ({ fake, loop }) => {
    fake.server.answer = () => {}
    const { ended } = loop({ startTimeoutMs: 2_000 })

    await expect(ended).rejects.toThrow('no answer came from')
  })

  test('soon if something else than the API answers', async ({ fake, loop }) => {
    fake.server.answer = (_, response) => response.end('<p>Another page</p>')
    const { ended, problems } = loop()

    await expect(ended).rejects.toThrow('is not the API: <p>Another page</p>')
    expect(problems).toHaveLength(3)
  })

  test('at once if a retry would exceed the limit', async ({ fake, loop }) => {
    fake.server.answer = (_, response) => refuse(response, 429, 'RATE_LIMIT_HIT', { 'retry-after': 3_600 })
    const { ended, problems } = loop()

    await expect(ended).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' })
    expect(problems).toEqual([])
  })
})

describe.concurrent('a stream of a server that streams', () => {
  test('receives events without polling, and continues after a broken connection', async ({ fake, loop }) => {
    fake.hasStreams = true
    const { received, ended } = loop({}, { onItem: (name) => name === 'reaction20' })
    await fake.waitUntil(() => fake.isStreamed)
    fake.publish('message')
    fake.write('id: 15\ndata: {"id":15,"ty')
    fake.dropConnections()
    fake.publish('reaction')
    await ended

    expect(received).toEqual(['registered first', 'message10', 'reaction20'])
    expect(fake.server.requests.map(({ method, path }) => `${method} ${path}`)).not.toContain(
      'GET /api/v1/events',
    )
  })

  test('acknowledges what the loop has handled', async ({ fake, loop }) => {
    fake.hasStreams = true
    const { received } = loop()
    await fake.waitUntil(() => fake.isStreamed)
    for (let count = 0; count < 101; count++) fake.publish('message')
    await fake.waitUntil(() => fake.acknowledged.length > 0)

    expect(fake.acknowledged).toEqual([1_000])
    expect(received).toHaveLength(102)
  })

  test('polls if a proxy does not know the path of streams', async ({ fake, loop }) => {
    fake.hasStreams = true
    fake.failNext('/events/stream', (_, response) => response.writeHead(404).end('no such page'))
    const { received, problems } = loop()
    await fake.waitUntil(() => fake.isPolled)
    fake.publish('message')
    await fake.waitUntil(() => fake.isPolled && received.length === 2)

    expect(received).toEqual(['registered first', 'message10'])
    expect(problems).toEqual([])
  })

  test('registers again when the queue was dropped', async ({ fake, loop }) => {
    fake.hasStreams = true
    const { received, ended } = loop({}, { onItem: (name) => name === 'message10' })
    await fake.waitUntil(() => fake.isStreamed)
    fake.dropConnections()
    fake.dropAll()
    await fake.waitUntil(() => fake.registered.length === 2 && fake.isStreamed)
    fake.publish('message')
    await ended

    expect(received).toEqual(['registered first', 'registered', 'message10'])
  })

  test('ends when it is stopped, and deletes its queue', async ({ fake, loop, stop }) => {
    fake.hasStreams = true
    const { ended } = loop()
    await fake.waitUntil(() => fake.isStreamed)
    stop.abort()
    await ended

    expect(fake.queues.size).toBe(0)
  })

  test('fails when the server refuses it', async ({ fake, loop }) => {
    fake.hasStreams = true
    fake.failNext('/events/stream', (_, response) => refuse(response, 401, 'UNAUTHORIZED'))
    const { ended } = loop()

    await expect(ended).rejects.toMatchObject({ name: 'ApiError', code: 'UNAUTHORIZED' })
  })
})

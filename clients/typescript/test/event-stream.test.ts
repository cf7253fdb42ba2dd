import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Client, createClient, type EventStreamOptions, type Problem } from '../src/index.ts'
import { FakeQueues } from './fake-queues.ts'
import { badGateway, type FakeServer, hangUp, refuse } from './fake-server.ts'

let fake: FakeQueues
let client: Client
let stop: AbortController
beforeEach(async () => {
  fake = await FakeQueues.start()
  client = createClient({ url: fake.server.url, email: 'a@example.com', apiKey: 'a key' })
  stop = new AbortController()
})
afterEach(async () => {
  stop.abort()
  await fake.server.close()
})

/** What a loop over a stream has had so far. */
interface Loop {
  readonly had: string[]
  readonly problems: Problem[]
  readonly ended: Promise<void>
}

const nameOf = (item: { readonly type: string; readonly id?: number; readonly isFirst?: boolean }): string =>
  `${item.type}${item.id ?? ''}${item.isFirst ? ' first' : ''}`

/** Loops over a stream until it is stopped; `onItem` may end the loop by returning true. */
function loop(
  options: EventStreamOptions = {},
  onItem: (name: string) => boolean | undefined = () => false,
): Loop {
  const had: string[] = []
  const problems: Problem[] = []
  const run = async (): Promise<void> => {
    const onRetry = (problem: Problem) => problems.push(problem)
    for await (const item of client.events({ signal: stop.signal, onRetry, ...options })) {
      had.push(nameOf(item))
      if (onItem(nameOf(item))) break
    }
  }
  return { had, problems, ended: run() }
}

const isPolled = () => fake.isPolled

describe('a stream', () => {
  test('begins with the state, and goes on with what happens', async () => {
    const { had } = loop({ event_types: ['message', 'reaction'] })
    await fake.until(isPolled)
    fake.tell('message')
    fake.tell('reaction')
    await fake.until(() => fake.isPolled && had.length === 3)

    expect(had).toEqual(['registered first', 'message10', 'reaction20'])
    expect(fake.registered).toMatchObject([{ event_types: '["message","reaction"]' }])
  })

  test('asks for events in their present form, unless told otherwise', async () => {
    loop()
    loop({ client_capabilities: { notification_settings_null: false } })
    await fake.until(() => fake.registered.length === 2)

    expect(fake.registered.map(({ client_capabilities = '' }) => client_capabilities).sort()).toEqual([
      '{"notification_settings_null":false}',
      expect.stringContaining('"user_settings_object":true'),
    ])
    expect(fake.registered[0]).not.toHaveProperty('signal')
  })

  test('keeps heartbeats to itself', async () => {
    const { had } = loop()
    await fake.until(isPolled)
    fake.beat()
    await fake.until(() => !fake.isPolled)
    await fake.until(isPolled)
    fake.tell('message')
    await fake.until(() => had.length === 2)

    expect(had).toEqual(['registered first', 'message10'])
  })

  test('waits for a server that starts, however often nobody listens there yet', async () => {
    const starting: FakeServer['answer'][] = [
      (_, response) => badGateway(response),
      (_, response) => hangUp(response),
      (_, response) => refuse(response, 503, 'SERVICE_UNAVAILABLE'),
      (_, response) => refuse(response, 500, 'INTERNAL'),
    ]
    for (const answer of starting) fake.failNext('/register', answer)
    let refused = 1
    const url = fake.server.url
    const late = (input: string | URL | Request, init?: RequestInit) =>
      fetch(refused-- > 0 ? 'http://127.0.0.1:2' : input, init)
    client = createClient({ url, fetch: late })
    const { had, problems } = loop()
    await fake.until(isPolled)

    expect(had).toEqual(['registered first'])
    expect(problems).toHaveLength(5)
    expect(problems[0]?.error.message).toBe(
      `register: no answer came from ${url}: connect ECONNREFUSED 127.0.0.1:2`,
    )
  }, 30_000)

  test.each(['EHOSTUNREACH', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])(
    'waits for a server whose host is about to come (%s)',
    async (code) => {
      let failing = 4
      const late = (input: string | URL | Request, init?: RequestInit) => {
        const cause = Object.assign(new Error(code), { code })
        return failing-- > 0 ? Promise.reject(new TypeError('fetch failed', { cause })) : fetch(input, init)
      }
      client = createClient({ url: fake.server.url, fetch: late })
      const { had, problems } = loop()
      await fake.until(isPolled)

      expect(had).toEqual(['registered first'])
      expect(problems).toHaveLength(4)
    },
  )

  test('is one loop; another needs another stream', async () => {
    const stream = client.events({ signal: stop.signal })
    const first = stream[Symbol.asyncIterator]()
    await first.next()

    await expect(stream[Symbol.asyncIterator]().next()).rejects.toThrow('followed already')
  })

  test('has its own queue beside another', async () => {
    const loops = [loop(), loop()]
    await fake.until(() => [...fake.queues.values()].filter(({ poll }) => poll).length === 2)
    fake.tell('message')
    await fake.until(() => loops.every(({ had }) => had.length === 2))

    expect(loops.map(({ had }) => had)).toEqual(Array(2).fill(['registered first', 'message10']))
  })
})

describe('a stream goes on', () => {
  test('when the one who holds its poll dies, without missing or repeating an event', async () => {
    const { had, problems } = loop()
    await fake.until(isPolled)
    fake.tell('message')
    await fake.until(() => fake.isPolled && had.length === 2)
    fake.cut()
    fake.tell('message')
    await fake.until(() => had.length === 3)

    expect(had).toEqual(['registered first', 'message10', 'message20'])
    expect(problems).toMatchObject([{ error: { name: 'NoAnswerError' }, delayMs: expect.any(Number) }])
    expect(fake.registered).toHaveLength(1)
  })

  test('when an answer gets lost, which then comes again', async () => {
    const { had } = loop()
    await fake.until(isPolled)
    fake.tell('message')
    await fake.until(() => fake.isPolled && had.length === 2)
    // Of the next poll's answer.
    fake.failNext('/events', (_, response) => {
      const begin = '{"result":"success","events":[{"id":30,"type":"message"}'
      response.writeHead(200, { 'content-type': 'application/json' }).write(begin)
      setImmediate(() => hangUp(response))
    })
    fake.tell('message')
    fake.tell('message')
    await fake.until(() => fake.isPolled && had.length === 4)

    expect(had).toEqual(['registered first', 'message10', 'message20', 'message30'])
  })

  test('when a server repeats what was acknowledged', async () => {
    const { had } = loop()
    await fake.until(isPolled)
    fake.tell('message')
    await fake.until(() => fake.isPolled && had.length === 2)
    const again = { id: 10, type: 'message' }
    for (const { poll } of fake.queues.values()) {
      const events = [again, { id: 11, type: 'message' }]
      poll?.response.end(JSON.stringify({ result: 'success', msg: '', events }))
    }
    await fake.until(() => had.length === 3)

    expect(had).toEqual(['registered first', 'message10', 'message11'])
  })

  test.each([
    ['a proxy answers', (_: unknown, response) => badGateway(response)],
    ['the service is away', (_: unknown, response) => refuse(response, 503, 'SERVICE_UNAVAILABLE')],
    [
      'it asks too often',
      (_: unknown, response) => refuse(response, 429, 'RATE_LIMIT_HIT', { 'retry-after': 0.01 }),
    ],
    ['the server has a bug', (_: unknown, response) => refuse(response, 500, 'INTERNAL')],
    ['the answer is no JSON', (_: unknown, response) => response.end('<p>Log in to this network</p>')],
  ] as [string, Parameters<FakeQueues['failNext']>[1]][])('when %s', async (_, answer) => {
    fake.failNext('/events', answer)
    const { had, problems } = loop()
    await fake.until(isPolled)
    fake.tell('message')
    await fake.until(() => had.length === 2)

    expect(had).toEqual(['registered first', 'message10'])
    expect(problems).toHaveLength(1)
    expect(fake.registered).toHaveLength(1)
  })

  test('when its queue is gone, and says so by the new state', async () => {
    const { had } = loop()
    await fake.until(isPolled)
    fake.dropAll()
    await fake.until(isPolled)
    fake.tell('message')
    await fake.until(() => had.length === 3)

    expect(had).toEqual(['registered first', 'registered', 'message10'])
  })

  test('however long registering anew fails', async () => {
    const { had, problems } = loop()
    await fake.until(isPolled)
    for (let i = 0; i < 4; i++) fake.failNext('/register', (_, response) => hangUp(response))
    fake.dropAll()
    await fake.until(isPolled)

    expect(had).toEqual(['registered first', 'registered'])
    expect(problems).toHaveLength(4)
  }, 30_000)

  test('more slowly where each queue is gone at once', async () => {
    const gone = (_: unknown, response: Parameters<typeof refuse>[0]) =>
      refuse(response, 400, 'BAD_EVENT_QUEUE_ID')
    for (let i = 0; i < 3; i++) fake.failNext('/events', gone)
    const startedAt = performance.now()
    const { had } = loop()
    await fake.until(isPolled)

    expect(had).toEqual(['registered first', 'registered', 'registered', 'registered'])
    // 125, 250 and 500 ms at least.
    expect(performance.now() - startedAt).toBeGreaterThan(800)
  })

  test('with a new state where the loop asks for one', async () => {
    const stream = client.events({ signal: stop.signal })
    const had: string[] = []
    const run = async () => {
      for await (const item of stream) {
        had.push(nameOf(item))
        if (item.type === 'restart') stream.renew()
      }
    }
    void run()
    await fake.until(isPolled)
    fake.tell('restart')
    await fake.until(() => fake.registered.length === 2 && fake.isPolled)
    fake.tell('message')
    await fake.until(() => had.length === 4)

    expect(had).toEqual(['registered first', 'restart10', 'registered', 'message20'])
    expect([...fake.queues.keys()]).toEqual(['queue 2'])
  })
})

describe('a stream ends', () => {
  test('when its signal says so, and its queue with it', async () => {
    const { ended, had } = loop()
    await fake.until(isPolled)
    stop.abort()
    await ended

    expect(had).toEqual(['registered first'])
    expect(fake.queues.size).toBe(0)
  })

  test('when its loop does, and its queue with it', async () => {
    const { ended, had } = loop({}, (name) => name === 'message10')
    await fake.until(isPolled)
    fake.tell('message')
    fake.tell('message')
    await ended

    expect(had).toEqual(['registered first', 'message10'])
    expect(fake.queues.size).toBe(0)
  })

  test('when it is stopped in the middle of what was read', async () => {
    const { ended, had } = loop({}, () => {
      if (had.length === 2) stop.abort()
      return false
    })
    await fake.until(isPolled)
    const [queue] = fake.queues.values()
    queue?.events.push({ id: 10, type: 'message' }, { id: 11, type: 'message' })
    fake.tell('message')
    await ended

    expect(had).toEqual(['registered first', 'message10'])
  })

  test('while it registers, and leaves no queue behind', async () => {
    let answerIt = () => {}
    fake.failNext('/register', (request, response) => {
      answerIt = () => fake.answerAsUsual(request, response)
      stop.abort()
    })
    const { ended, had } = loop()
    await fake.until(() => stop.signal.aborted)
    answerIt()
    await ended

    expect(had).toEqual([])
    expect(fake.registered).toHaveLength(1)
    expect(fake.queues.size).toBe(0)
  })

  test('before it begins where its signal has said so already', async () => {
    stop.abort()
    await loop().ended

    expect(fake.server.heard).toEqual([])
  })

  test('while it waits to try again', async () => {
    const { ended, problems } = loop()
    await fake.until(isPolled)
    fake.failNext('/events', (_, response) =>
      refuse(response, 429, 'RATE_LIMIT_HIT', { 'retry-after': 3_600 }),
    )
    fake.beat()
    await fake.until(() => !fake.isPolled)
    while (problems.length === 0) await new Promise(setImmediate)
    stop.abort()
    await ended

    expect(fake.queues.size).toBe(0)
  })

  test('with the refusal where the server refuses', async () => {
    const { ended } = loop()
    await fake.until(isPolled)
    fake.failNext('/events', (_, response) => refuse(response, 401, 'USER_DEACTIVATED'))
    fake.beat()

    await expect(ended).rejects.toMatchObject({ name: 'ApiError', code: 'USER_DEACTIVATED' })
  })

  test('with what is wrong where the server does not come in time', async () => {
    fake.server.answer = (_, response) => badGateway(response)
    const startedAt = performance.now()
    const { ended, problems } = loop({ startTimeoutMs: 2_000 })

    await expect(ended).rejects.toMatchObject({ name: 'NoAnswerError', status: 502 })
    expect(performance.now() - startedAt).toBeGreaterThan(1_990)
    expect(problems.length).toBeGreaterThan(1)
  })

  test('with what is wrong where whoever is there stays silent for that time', async () => {
    fake.server.answer = () => {}
    const { ended } = loop({ startTimeoutMs: 2_000 })

    await expect(ended).rejects.toThrow('no answer came from')
  }, 20_000)

  test('soon where there is something else than a server', async () => {
    fake.server.answer = (_, response) => response.end('<p>Another page</p>')
    const { ended, problems } = loop()

    await expect(ended).rejects.toThrow('is not the API: <p>Another page</p>')
    expect(problems).toHaveLength(3)
  })

  test('at once where it would have to wait for longer than it may', async () => {
    fake.server.answer = (_, response) => refuse(response, 429, 'RATE_LIMIT_HIT', { 'retry-after': 3_600 })
    const { ended, problems } = loop()

    await expect(ended).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' })
    expect(problems).toEqual([])
  })
})

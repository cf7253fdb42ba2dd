import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { answersIn, openRaw } from '../../test/raw-client.ts'
import {
  authorization,
  type FakeLink,
  reply,
  type TestGateway,
  test,
  type Upstream,
  until,
} from '../../test/start-gateway.ts'

const EVENT = '{"id":4,"type":"presence"}'
const MESSAGE = `id: 4\ndata: ${EVENT}\n\n`

function acceptLinks(...replicas: Upstream[]): FakeLink[] {
  const links: FakeLink[] = []
  for (const replica of replicas) replica.onLink = (link) => void links.push(link)
  return links
}

const stream = ({ url }: Pick<TestGateway, 'url'>, headers: Record<string, string> = {}, queueId = 'q-1') =>
  fetch(`${url}/api/v1/events/stream?queue_id=${queueId}&last_event_id=3`, {
    headers: { authorization, ...headers },
  })

async function untilStreamed(links: readonly FakeLink[], count = 1): Promise<FakeLink> {
  const found = () => links.find(({ streams }) => streams.length >= count)
  await until(() => found() !== undefined)
  return found() as FakeLink
}

const numbersOf = ({ streams }: FakeLink): number[] => streams.map(([number]) => number)

describe.concurrent('streams over links', () => {
  test('get the events of one frame, each as a message, until they end', async ({ startGateway }) => {
    const gateway = await startGateway({ EVENTS_URL: 1 })
    const links = acceptLinks(gateway.events)
    const pending = ['q-1', 'q-2'].map((queueId) => stream(gateway, {}, queueId))
    const link = await untilStreamed(links, 2)
    const [first = 0, second = 0] = numbersOf(link)

    link.send({ streamed: [[first], [second, 0]] }, [EVENT])
    link.send(
      {
        streamed: [
          [first, 0],
          [second, 1],
        ],
        ended: [
          [first, 'ended'],
          [second, 'superseded'],
        ],
      },
      [EVENT, '{"id":5,"type":"typing","text":"ä€"}'],
    )

    const answers = await Promise.all(pending)
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual([
      MESSAGE,
      `${MESSAGE}id: 5\ndata: {"id":5,"type":"typing","text":"ä€"}\n\nevent: superseded\ndata: {}\n\n`,
    ])
    expect(answers[0]?.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(answers[0]?.headers.get('cache-control')).toBe('private, no-store')
    expect(answers[0]?.headers.get('access-control-allow-origin')).toBe('*')
    expect(link.streams.map(([, , , queueId, lastEventId]) => [queueId, lastEventId])).toEqual([
      ['q-1', 3],
      ['q-2', 3],
    ])
    expect(gateway.events.requestLines).toEqual([])
  })

  test('resume after the event of the header', async ({ startGateway }) => {
    const gateway = await startGateway({ EVENTS_URL: 1 })
    const links = acceptLinks(gateway.events)
    const pending = stream(gateway, { 'last-event-id': '9' })
    const link = await untilStreamed(links)
    link.send({ ended: numbersOf(link).map((number) => [number, 'ended']) })

    expect(link.streams[0]?.[4]).toBe(9)
    await (await pending).text()
  })

  test('are cancelled when their client leaves', async ({ startGateway }) => {
    const gateway = await startGateway({ EVENTS_URL: 1 })
    const links = acceptLinks(gateway.events)
    const pending = stream(gateway)
    const link = await untilStreamed(links)
    link.send({ streamed: [numbersOf(link)] })

    await (await pending).body?.cancel()

    await until(() => link.cancelled.length === 1)
    expect(link.cancelled).toEqual(numbersOf(link))
  })

  test('go to another replica if their link is cut before they have begun, and end if it is cut afterwards', async ({
    startGateway,
  }) => {
    const gateway = await startGateway()
    const links = acceptLinks(gateway.events, gateway.events2)
    const pending = stream(gateway)
    const first = await untilStreamed(links)
    first.socket.destroy()
    await until(() => links.length === 2)
    const second = await untilStreamed(links.slice(1))
    second.send({ streamed: [[...numbersOf(second), 0]] }, [EVENT])
    const answer = await pending

    second.socket.destroy()

    expect(await answer.text()).toBe(MESSAGE)
  })

  test('are sent as requests if the replica returns them', async ({ startGateway }) => {
    const gateway = await startGateway({ EVENTS_URL: 1 })
    gateway.events.answer = (_incoming, response) => reply(response, 200, { streamed: true })
    const links = acceptLinks(gateway.events)
    const pending = stream(gateway)
    const link = await untilStreamed(links)

    link.send({ returned: numbersOf(link) })

    expect(await (await pending).json()).toMatchObject({ streamed: true })
    expect(gateway.events.requestLines).toEqual(['GET /api/v1/events/stream?queue_id=q-1&last_event_id=3'])
  })

  test('are sent as requests if their connection has another request to answer', async ({ startGateway }) => {
    const gateway = await startGateway({ EVENTS_URL: 1 })
    gateway.events.answer = (_incoming, response) => reply(response, 200, { streamed: true })
    gateway.messaging.answer = (_incoming, response) => reply(response, 200, { others: true })
    gateway.messaging2.answer = gateway.messaging.answer
    const links = acceptLinks(gateway.events)
    const headers = `host: h\r\nauthorization: ${authorization}\r\n`
    const [first, second] = ['events/stream?queue_id=q-1&last_event_id=3', 'messages/7'].map(
      (path) => `GET /api/v1/${path} HTTP/1.1\r\n${headers}`,
    )
    const client = openRaw(gateway.url, `${first}\r\n${second}connection: close\r\n\r\n`)
    const link = await untilStreamed(links)
    await until(() => gateway.messaging.requestLines.length + gateway.messaging2.requestLines.length === 1)

    link.send({ streamed: [[...numbersOf(link), 0]] }, [EVENT])

    expect(answersIn(await client.ended).map(({ body }) => body)).toEqual([
      expect.objectContaining({ streamed: true }),
      expect.objectContaining({ others: true }),
    ])
    await until(() => link.cancelled.length === 1)
  })

  test.for([
    ['a health check', ''],
    ['a request with an unknown expectation', 'expect: something\r\n'],
  ] as const)('are sent as requests if %s waits behind them', async ([, header], { startGateway }) => {
    const gateway = await startGateway({ EVENTS_URL: 1 })
    gateway.events.answer = (_incoming, response) => reply(response, 200, { streamed: true })
    const links = acceptLinks(gateway.events)
    const stream = `GET /api/v1/events/stream?queue_id=q-1&last_event_id=3 HTTP/1.1\r\nhost: h\r\nauthorization: ${authorization}\r\n\r\n`
    const health = `GET /health/live HTTP/1.1\r\nhost: h\r\n${header}connection: close\r\n\r\n`
    const client = openRaw(gateway.url, stream + health)
    const link = await untilStreamed(links)

    link.send({ streamed: [[...numbersOf(link), 0]] }, [EVENT])

    expect(answersIn(await client.ended).map(({ body }) => body)).toEqual([
      expect.objectContaining({ streamed: true }),
      { status: 'live' },
    ])
  })

  test.for([
    ['superseded', 'event: superseded\ndata: {}\n\n'],
    ['ended', ':\n\n'],
    ['cut_off', ':\n\n'],
  ] as const)(
    'that are %s before they have begun take nothing over, whatever waits behind them',
    async ([end, body], { startGateway }) => {
      const gateway = await startGateway({ EVENTS_URL: 1 })
      const links = acceptLinks(gateway.events)
      const stream = `GET /api/v1/events/stream?queue_id=q-1&last_event_id=3 HTTP/1.1\r\nhost: h\r\nauthorization: ${authorization}\r\n\r\n`
      const health = 'GET /health/live HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n'
      const client = openRaw(gateway.url, stream + health)
      const link = await untilStreamed(links)
      const [number = 0] = numbersOf(link)

      link.send({ streamed: [[number, 0]] }, [EVENT])
      await nextTurn()
      link.send({ ended: [[number, end]] })

      const text = await client.ended
      expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
      expect(text).toContain(body)
      expect(text).toContain('{"status":"live"}')
      expect(text).not.toContain(EVENT)
      expect(gateway.events.requestLines).toEqual([])
    },
  )

  test('end with what was written to them when their client ends its side', async ({ startGateway }) => {
    const gateway = await startGateway({ EVENTS_URL: 1 })
    const links = acceptLinks(gateway.events)
    const head = `GET /api/v1/events/stream?queue_id=q-1&last_event_id=3 HTTP/1.1\r\nhost: h\r\nauthorization: ${authorization}\r\n\r\n`
    const client = openRaw(gateway.url, head)
    const link = await untilStreamed(links)
    link.send({ streamed: [[...numbersOf(link), 0]] }, [EVENT])
    await until(() => client.received.includes('data'))

    client.socket.end('GET / HTTP/1.1\r\n')

    expect(await client.ended).toMatch(
      /^HTTP\/1\.1 200 OK\r\ndate: .* GMT\r\nx-request-id: [-0-9a-f]{36}\r\n/,
    )
    await until(() => link.cancelled.length === 1)
  })

  test('are refused with the error of their replica', async ({ startGateway }) => {
    const gateway = await startGateway({ EVENTS_URL: 1 })
    const links = acceptLinks(gateway.events)
    const pending = stream(gateway)
    const link = await untilStreamed(links)

    link.send({ errors: [[numbersOf(link)[0] ?? 0, 'BAD_EVENT_QUEUE_ID', 'Bad event queue ID: q-1', {}]] })

    const answer = await pending
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { result: 'error', msg: 'Bad event queue ID: q-1', code: 'BAD_EVENT_QUEUE_ID' },
    ])
  })

  test('end when the gateway stops', async ({ startGateway }) => {
    const gateway = await startGateway({ EVENTS_URL: 1 })
    const links = acceptLinks(gateway.events)
    const pending = stream(gateway)
    const link = await untilStreamed(links)
    link.send({ streamed: [[...numbersOf(link), 0]] }, [EVENT])
    const answer = await pending

    await gateway.close()

    expect(await answer.text()).toBe(MESSAGE)
  })

  test('tell the replica what their clients take, and no more than that', async ({ startGateway }) => {
    const gateway = await startGateway({ EVENTS_URL: 1 })
    const links = acceptLinks(gateway.events)
    const pending = stream(gateway)
    const link = await untilStreamed(links)
    const large = `{"id":4,"text":"${'x'.repeat(60_000)}"}`
    const count = 200
    for (let index = 0; index < count; index++) link.send({ streamed: [[...numbersOf(link), 0]] }, [large])
    const reader = (await pending).body?.getReader()
    // The system's buffers take some, and the rest waits for the client.
    await until(() => link.taken() > 0)
    expect(link.taken()).toBeLessThan(count * large.length)

    let read = 0
    const reading = (async () => {
      while (read < count * large.length) read += (await reader?.read())?.value?.length ?? 0
    })()

    await until(() => link.taken() === count * large.length)
    await reading
    await reader?.cancel()
  })

  test('tell in bytes what their clients take of a large event, also before they have all of it', async ({
    startGateway,
  }) => {
    const gateway = await startGateway({ EVENTS_URL: 1 })
    const links = acceptLinks(gateway.events)
    const pending = stream(gateway)
    const link = await untilStreamed(links)
    const large = `{"id":4,"text":"${'語'.repeat(2_400_000)}"}`
    const size = Buffer.byteLength(large)
    link.send({ streamed: [[...numbersOf(link), 0]] }, [large])
    // The system's buffers take some, and the rest waits for the client.
    await until(() => link.taken() > 0)
    expect(link.taken()).toBeLessThan(size)
    link.send({ streamed: [[...numbersOf(link), 0]] }, ['{"id":5}'])

    const reader = (await pending).body?.getReader()
    const decoder = new TextDecoder()
    const expected = `id: 4\ndata: ${large}\n\nid: 5\ndata: {"id":5}\n\n`
    let text = ''
    while (text.length < expected.length)
      text += decoder.decode((await reader?.read())?.value, { stream: true })

    expect(text === expected).toBe(true)
    await until(() => link.taken() === size)
    await reader?.cancel()
  })

  test('end after all that was written to them, however slowly it is read', async ({ startGateway }) => {
    const gateway = await startGateway({ EVENTS_URL: 1 })
    const links = acceptLinks(gateway.events)
    const pending = stream(gateway)
    const link = await untilStreamed(links)
    const large = `{"id":4,"text":"${'x'.repeat(7_000_000)}"}`
    const next = '{"id":5,"text":"y"}'
    const [number = 0] = numbersOf(link)
    link.send(
      {
        streamed: [
          [number, 0],
          [number, 1],
        ],
        ended: [[number, 'superseded']],
      },
      [large, next],
    )

    const text = await (await pending).text()

    const expected = `id: 4\ndata: ${large}\n\nid: 5\ndata: ${next}\n\nevent: superseded\ndata: {}\n\n`
    expect([text.length, text === expected]).toEqual([expected.length, true])
  })

  test('are cut off if the replica says that they do not read', async ({ startGateway }) => {
    const gateway = await startGateway({ EVENTS_URL: 1 })
    const links = acceptLinks(gateway.events)
    const pending = stream(gateway)
    const link = await untilStreamed(links)
    link.send({ streamed: [[...numbersOf(link), 0]] }, [EVENT])
    const answer = await pending

    link.send({ ended: numbersOf(link).map((number) => [number, 'cut_off']) })

    await expect(answer.text()).rejects.toThrow()
  })
})

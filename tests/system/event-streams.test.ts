import { endpoints } from '@tms/contracts'
import { type ApiClient, registerQueue, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sumOfEvents } from './support/events-metric.ts'
import { openStream, StreamClient } from './support/stream-client.ts'
import { until } from './support/until.ts'
import { sendDirectly } from './support/users-and-channels.ts'

const { acknowledgeEvents, deleteEventQueue, getEvents, register } = endpoints.events
const { sendMessage, updateMessageFlags } = endpoints.messaging

let product: TestSystem
let sender: ApiClient
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    ownServers: ['redis'],
    replicas: { gateway: 2, events: 2 },
  })
  sender = await product.createUser()
}, 180_000)
afterAll(() => product.stop(), 60_000)

const queueOf = async (client: ApiClient, event_types = ['message']): Promise<string> =>
  (await client.call(register, { event_types, fetch_event_types: [] })).queue_id

interface Options {
  readonly last?: number
  readonly header?: number | string
  readonly extra?: string
}
const attempt = (client: ApiClient, queueId: string, options: Options = {}) =>
  openStream((path, init) => client.fetch(path, init), queueId, options)
const open = async (client: ApiClient, queueId: string, options: Options = {}): Promise<StreamClient> => {
  const { stream, body } = await attempt(client, queueId, options)
  if (stream === null) throw new Error(JSON.stringify(body))
  return stream
}
const textsOf = ({ events }: StreamClient): unknown[] =>
  events.map(({ message }) => (message as { content: string }).content)
const say = (to: ApiClient, content: string) =>
  sender.call(sendMessage, { type: 'direct', to: [to.userId], content })
const pollOf = (client: ApiClient, queueId: string, last: number) =>
  client.call(getEvents, { queue_id: queueId, last_event_id: last, dont_block: true })

describe('a stream', () => {
  test('delivers what waits in the queue, then each event when it happens, and nothing twice', async () => {
    const reader = await product.createUser()
    const queueId = await queueOf(reader)
    await say(reader, 'before')
    const stream = await open(reader, queueId)
    await stream.until(() => stream.events.length >= 1)
    for (const content of ['one', 'two', 'three']) await say(reader, content)
    await stream.until(() => stream.events.length >= 4)
    stream.close()

    expect(textsOf(stream)).toEqual(['before', 'one', 'two', 'three'])
  })

  test('has the same events as a poll', async () => {
    const reader = await product.createUser()
    const queueId = await queueOf(reader)
    await say(reader, 'a line\nand *another*')
    const { events } = await reader.call(getEvents, { queue_id: queueId, last_event_id: -1 })
    const stream = await open(reader, queueId)
    await stream.until(() => stream.events.length > 0)
    stream.close()

    expect(stream.events).toEqual(events)
  })

  test('delivers again what was not acknowledged, unchanged, to a stream that resumes by parameter or header', async () => {
    const reader = await product.createUser()
    const queueId = await queueOf(reader)
    const first = await open(reader, queueId)
    for (const content of ['one', 'two', 'three']) await say(reader, content)
    await first.until(() => first.events.length >= 3)
    first.close()
    const [, second = { id: 0 }] = first.events

    const all = await open(reader, queueId, { last: -1 })
    await all.until(() => all.events.length >= 3)
    expect(all.events).toEqual(first.events)
    const rest = await open(reader, queueId, { last: -1, header: second.id })
    await rest.until(() => rest.events.length >= 1)
    rest.close()
    expect(rest.events).toEqual(first.events.slice(2))
  })

  test('leaves in the queue only what was not acknowledged', async () => {
    const reader = await product.createUser()
    const queueId = await queueOf(reader)
    const stream = await open(reader, queueId)
    for (const content of ['one', 'two']) await say(reader, content)
    await stream.until(() => stream.events.length >= 2)
    const [one, two] = stream.events.map(({ id }) => id) as [number, number]

    await reader.call(acknowledgeEvents, { queue_id: queueId, last_event_id: one })
    await reader.call(acknowledgeEvents, { queue_id: queueId, last_event_id: one })
    await say(reader, 'three')
    await stream.until(() => stream.events.length >= 3)
    stream.close()

    const { events } = await pollOf(reader, queueId, one)
    expect(events.map(({ id }) => id)).toEqual(stream.events.map(({ id }) => id).slice(1))
    expect(await reader.send(acknowledgeEvents, { queue_id: queueId, last_event_id: two + 1 })).toMatchObject(
      {
        status: 400,
        body: { code: 'BAD_REQUEST' },
      },
    )
  })

  test('keeps the form of flag changes that it delivered, for a later poll', async () => {
    const reader = await product.createUser()
    const ids: number[] = []
    for (let index = 0; index < 3; index++) ids.push(await sendDirectly(sender, [reader]))
    const queueId = await queueOf(reader, ['update_message_flags'])
    const stream = await open(reader, queueId)
    for (const id of ids)
      await reader.call(updateMessageFlags, { messages: [id], op: 'add', flag: 'starred' })
    await stream.until(() => stream.events.length >= 3)
    stream.close()
    await stream.ended

    const { events } = await pollOf(reader, queueId, -1)
    expect(events).toEqual(stream.events)
  })

  test('ends when another stream or a poll takes over, and says so', async () => {
    const reader = await product.createUser()
    const queueId = await queueOf(reader)
    const first = await open(reader, queueId)
    const second = await open(reader, queueId)
    expect(await first.ended).toBe('superseded')
    const poll = pollOf(reader, queueId, -1)
    expect(await second.ended).toBe('superseded')
    expect((await poll).events).toEqual([])
  })

  test('ends the poll that waits', async () => {
    const reader = await product.createUser()
    const queueId = await queueOf(reader)
    const poll = reader.call(getEvents, { queue_id: queueId, last_event_id: -1 })
    await until(async () => (await sumOfEvents(product, 'event_pending_polls')) > 0)
    const stream = await open(reader, queueId)
    expect((await poll).events).toEqual([])
    await say(reader, 'to the stream')
    await stream.until(() => stream.events.length > 0)
    stream.close()
  })

  test('ends after the waiting events if it should not wait', async () => {
    const reader = await product.createUser()
    const queueId = await queueOf(reader)
    await say(reader, 'waiting')
    await reader.call(getEvents, { queue_id: queueId, last_event_id: -1 })
    const stream = await open(reader, queueId, { extra: '&dont_block=true' })

    expect(await stream.ended).toBe('ended')
    expect(textsOf(stream)).toEqual(['waiting'])
  })

  test('ends with its queue, and is refused afterwards', async () => {
    const reader = await product.createUser()
    const queueId = await queueOf(reader)
    const stream = await open(reader, queueId)
    await reader.call(deleteEventQueue, { queue_id: queueId })

    expect(await stream.ended).toBe('ended')
    expect(await attempt(reader, queueId)).toMatchObject({
      status: 400,
      body: { code: 'BAD_EVENT_QUEUE_ID' },
    })
  })

  test('ends with its account', async () => {
    const reader = await product.createUser()
    const queueId = await queueOf(reader)
    const stream = await open(reader, queueId)
    await product.owner.call(endpoints.users.deactivateUser, { user_id: reader.userId })

    expect(await stream.ended).toBe('ended')
    expect(await attempt(reader, queueId)).toMatchObject({ status: 401 })
  })

  test('ends when the API key of its account was replaced', async () => {
    const reader = await product.createUser()
    const queueId = await queueOf(reader)
    const stream = await open(reader, queueId)
    await reader.call(endpoints.users.regenerateApiKey, {})

    expect(await stream.ended).toBe('ended')
    expect(await attempt(reader, queueId)).toMatchObject({ status: 401 })
  })

  test('is refused to others, for an unknown event, and for a header that is no ID', async () => {
    const [reader, other] = [await product.createUser(), await product.createUser()]
    const queueId = await queueOf(reader)

    expect(await attempt(other, queueId)).toMatchObject({ status: 400, body: { code: 'BAD_EVENT_QUEUE_ID' } })
    expect(await attempt(reader, queueId, { last: 5 })).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST' },
    })
    expect(await attempt(reader, queueId, { header: 'x' })).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST' },
    })
    expect(await other.send(acknowledgeEvents, { queue_id: queueId, last_event_id: -1 })).toMatchObject({
      status: 400,
      body: { code: 'BAD_EVENT_QUEUE_ID' },
    })
  })

  test('goes on after a large event, also if its client reads it late', async () => {
    const asHtml = { event_types: ['message'], fetch_event_types: [], apply_markdown: true }
    const [quick, slow] = [await product.createUser(), await product.createUser()]
    const [quickQueue, slowQueue] = await Promise.all(
      [quick, slow].map(async (reader) => (await reader.call(register, asHtml)).queue_id),
    )
    const stream = await open(quick, quickQueue as string)
    const unread = await slow.fetch(`/api/v1/events/stream?queue_id=${slowQueue}`)
    const contents = ['before', ':+1: '.repeat(1_900), '語'.repeat(9_000), ':+1: '.repeat(1_900), 'after']
    for (const content of contents)
      await sender.call(sendMessage, { type: 'direct', to: [quick.userId, slow.userId], content })
    await stream.until(() => stream.events.length >= contents.length)
    stream.close()
    // Only now it reads.
    const late = new StreamClient(unread, new AbortController())
    await late.until(() => late.events.length >= contents.length)

    const texts = textsOf(stream) as string[]
    expect(texts[1]?.length).toBeGreaterThan(64 * 1024)
    expect([texts[0], texts[4]]).toEqual(['<p>before</p>', '<p>after</p>'])
    expect(textsOf(late)).toEqual(texts)
  })

  test('that its client does not read loses nothing, and holds nothing up', async () => {
    const [slow, quick] = [await product.createUser(), await product.createUser()]
    const [slowQueue, quickQueue] = [
      await queueOf(slow),
      await registerQueue(quick, { event_types: ['message'] }),
    ]
    const response = await slow.fetch(`/api/v1/events/stream?queue_id=${slowQueue}`)
    const content = 'x'.repeat(9_000)
    quickQueue.follow()
    const count = 300
    for (let index = 0; index < count; index++)
      await sender.call(sendMessage, { type: 'direct', to: [slow.userId, quick.userId], content })
    await quickQueue.until(() => quickQueue.events.length >= count)
    await quickQueue.stop()

    // Only now it reads.
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (text.split('\n\n').length > count) break
    }
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
    expect(ids).toHaveLength(count)
    expect(new Set(ids).size).toBe(count)
  })
})

describe('when something fails, streams', () => {
  /** A client that connects again whenever its stream ends. */
  const follow = async (reader: ApiClient, queueId: string) => {
    const ids: number[] = []
    const texts: unknown[] = []
    let isStopped = false
    let current: StreamClient | null = null
    const work = async () => {
      while (!isStopped) {
        const opened = await attempt(reader, queueId, { last: ids.at(-1) ?? -1 }).catch(() => null)
        if (opened?.stream === null && opened.status === 400) throw new Error(JSON.stringify(opened.body))
        if (!opened?.stream) {
          await new Promise((resolve) => setTimeout(resolve, 50))
          continue
        }
        current = opened.stream
        const ended = current.ended
        let seen = 0
        const take = () => {
          for (; seen < (current as StreamClient).events.length; seen++) {
            const event = (current as StreamClient).events[seen]
            if (!event) continue
            ids.push(event.id)
            texts.push((event['message'] as { content: string }).content)
          }
        }
        const watching = setInterval(take, 20)
        await ended
        clearInterval(watching)
        take()
      }
    }
    const working = work()
    return {
      texts,
      stop: async () => {
        isStopped = true
        current?.close()
        await working
      },
    }
  }

  test.each([
    ['an events replica is killed', 'events', 'SIGKILL'],
    ['an events replica stops', 'events', 'SIGTERM'],
    ['a gateway is killed', 'gateway', 'SIGKILL'],
    ['a gateway stops', 'gateway', 'SIGTERM'],
  ] as const)('continue without loss when %s', async (_, service, signal) => {
    const readers = await Promise.all([0, 1, 2, 3].map(() => product.createUser()))
    const follows = await Promise.all(
      readers.map(async (reader, index) => {
        const at = product.system.urls.gateway[index % 2] as string
        return follow(new (reader.constructor as typeof ApiClient)(at, reader.account), await queueOf(reader))
      }),
    )
    const to = readers.map(({ userId }) => userId)
    const expected: string[] = []
    const send = async () => {
      const content = `message ${expected.length}`
      await sender.call(sendMessage, { type: 'direct', to, content })
      expected.push(content)
    }
    const received = () => until(async () => follows.every(({ texts }) => texts.length >= expected.length))
    for (let index = 0; index < 5; index++) await send()
    await received()
    const replica = product.system.replica(service, service === 'gateway' ? 1 : 0)
    const stopped = signal === 'SIGTERM' ? replica.stop() : replica.kill(signal)
    for (let index = 0; index < 20; index++) await send()
    await stopped
    await replica.start()
    for (let index = 0; index < 5; index++) await send()
    await received()

    for (const { texts } of follows) expect(texts).toEqual(expected)
    await Promise.all(follows.map((one) => one.stop()))
  })

  test('continue over a restart of Redis', async () => {
    const reader = await product.createUser()
    const stream = await open(reader, await queueOf(reader))
    await say(reader, 'before')
    await stream.until(() => stream.events.length >= 1)
    await product.servers.redis.stop()
    await say(reader, 'meanwhile')
    await product.servers.redis.start()
    await stream.until(() => stream.events.length >= 2)
    await say(reader, 'afterwards')
    await stream.until(() => stream.events.length >= 3)
    stream.close()

    expect(textsOf(stream)).toEqual(['before', 'meanwhile', 'afterwards'])
  })
})

import { endpoints } from '@tms/contracts'
import { ApiClient, type EventQueue, registerQueue, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sumOfEvents } from './support/events-metric.ts'
import { metricOf } from './support/observe.ts'
import { startSending } from './support/start-sending.ts'
import { traffic } from './support/traffic.ts'
import { until } from './support/until.ts'

const USERS = 20
const QUEUES_OF_EACH = 50
const CHANNEL = 'moving house'
const ERRANDS = 'errands'
/** Enough that some request is always on its way. */
const CLIENTS = 16
/** Each message is a thousand deliveries, and more of them would not replace replicas sooner. */
const PAUSE_MS = 1_000
/** Messages that every client receives between one replacement and the next. */
const TRAFFIC = 3

let product: TestSystem
let queues: readonly EventQueue[]
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    replicas: { events: 3, gateway: 2, messaging: 2 },
    usersHavePasswords: false,
  })
  const users = await Promise.all(Array.from({ length: USERS }, () => product.createUser()))
  await product.owner.call(endpoints.messaging.subscribe, {
    subscriptions: [{ name: CHANNEL }],
    principals: users.map(({ userId }) => userId),
  })
  const registered: EventQueue[] = []
  for (let round = 0; round < QUEUES_OF_EACH; round++) {
    const event_types = ['message']
    registered.push(...(await Promise.all(users.map((user) => registerQueue(user, { event_types })))))
  }
  for (const queue of registered) queue.follow()
  queues = registered
}, 240_000)
afterAll(() => product.stop(), 60_000)

describe('a thousand polling clients', () => {
  let sent: readonly number[] = []

  test('receive every message once and in order, and no error, while all events replicas are replaced', async () => {
    const sending = startSending(product.owner, CHANNEL, 'news', PAUSE_MS)
    for (const index of [0, 1, 2]) {
      await traffic(queues, TRAFFIC, [sending])
      const replica = product.system.replica('events', index)
      await replica.stop()
      await traffic(queues, TRAFFIC, [sending])
      await replica.start()
      await until(async () => Number(await metricOf(replica.url, 'event_partitions_owned')) > 0)
    }
    await traffic(queues, TRAFFIC, [sending])
    await sending.stop()

    sent = sending.accepted
    await expectAll(sent)
    expect(queues.flatMap(({ retries }) => retries)).toEqual([])
  }, 240_000)

  test('receive every message once and in order after their gateway was killed', async () => {
    // They all poll at the first one.
    const gateway = product.system.replica('gateway', 0)
    const polls = () => sumOfEvents(product, 'event_pending_polls')
    await until(async () => (await polls()) === queues.length)
    expect(await metricOf(gateway.url, 'gateway_poll_links')).toBeGreaterThan(0)

    await gateway.kill('SIGKILL')

    await until(async () => (await polls()) === 0)
    const second = new ApiClient(`${product.system.urls.gateway[1]}`, product.owner.account)
    const sending = startSending(second, CHANNEL, 'more news', PAUSE_MS)
    await until(async () => sending.accepted.length >= TRAFFIC)
    await gateway.start()
    await traffic(queues, 2 * TRAFFIC, [sending])
    await sending.stop()
    await expectAll([...sent, ...sending.accepted])
    await Promise.all(queues.map((queue) => queue.stop()))
  }, 240_000)
})

describe('clients that send and read all the time', () => {
  test('get no error while all replicas of messaging are replaced', async () => {
    const { owner, system } = product
    await owner.call(endpoints.messaging.subscribe, { subscriptions: [{ name: ERRANDS }] })
    const links = () => metricOf(system.replica('gateway', 0).url, 'gateway_request_links').then(Number)
    let isOver = false
    let rounds = 0
    const client = async (): Promise<void> => {
      while (!isOver) {
        const message = { type: 'channel', to: ERRANDS, topic: 'today', content: `errand ${rounds}` } as const
        const { id } = await owner.call(endpoints.messaging.sendMessage, message)
        await owner.call(endpoints.messaging.getMessage, { message_id: id })
        rounds++
      }
    }
    const clients = Promise.all(Array.from({ length: CLIENTS }, client))
    const more = async () => {
      const before = rounds
      await Promise.race([until(async () => rounds > before + 10 * CLIENTS), clients])
    }
    for (const index of [0, 1]) {
      await more()
      await until(async () => (await links()) > 1)
      const replica = system.replica('messaging', index)
      await replica.stop()
      await more()
      await replica.start()
      await until(async () => (await fetch(`${replica.url}/health/ready`)).ok)
    }
    await more()
    isOver = true

    await expect(clients).resolves.toHaveLength(CLIENTS)
    await until(async () => (await links()) > 1)
  })
})

async function expectAll(sent: readonly number[]): Promise<void> {
  for (const queue of queues) {
    await queue.until(() => queue.events.length >= sent.length, 'the last message')
    expect(queue.events.map(({ message }) => (message as { id: number }).id)).toEqual(sent)
  }
}

import { endpoints } from '@tms/contracts'
import {
  type ApiClient,
  type EventQueue,
  registerQueue,
  startTestSystem,
  type TestSystem,
} from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { metricOf } from './support/observe.ts'
import { startSending } from './support/start-sending.ts'
import { traffic } from './support/traffic.ts'
import { until } from './support/until.ts'

const USERS = 20
const QUEUES_OF_EACH = 50
const CHANNEL = 'moving house'
/** Each message is a thousand deliveries, and more of them would not replace replicas sooner. */
const PAUSE_MS = 1_000
/** Messages that every client receives between one replacement and the next. */
const TRAFFIC = 3

let product: TestSystem
beforeAll(async () => {
  product = await startTestSystem({ env: process.env, ownServers: true, replicas: { events: 3, gateway: 2 } })
}, 180_000)
afterAll(() => product.stop(), 60_000)

describe('a rolling replacement of all events replicas', () => {
  test('shows a thousand polling clients no error, and every message once and in order', async () => {
    const users: ApiClient[] = []
    // Hashing a password is slow: many at once would wait too long.
    while (users.length < USERS) users.push(await product.createUser())
    await product.owner.call(endpoints.messaging.subscribe, {
      subscriptions: [{ name: CHANNEL }],
      principals: users.map(({ userId }) => userId),
    })
    const queues: EventQueue[] = []
    for (let round = 0; round < QUEUES_OF_EACH; round++) {
      queues.push(
        ...(await Promise.all(users.map((user) => registerQueue(user, { event_types: ['message'] })))),
      )
    }
    for (const queue of queues) queue.follow()
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
    const sent = sending.accepted
    for (const queue of queues) {
      await queue.until(() => queue.events.length >= sent.length, 'the last message')
      expect(queue.events.map(({ message }) => (message as { id: number }).id)).toEqual(sent)
    }
    expect(queues.flatMap(({ retries }) => retries)).toEqual([])
    await Promise.all(queues.map((queue) => queue.stop()))
  }, 240_000)
})

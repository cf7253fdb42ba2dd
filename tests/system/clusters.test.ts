import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { endpoints } from '@tms/contracts'
import { canStartClusters } from '@tms/local-system'
import { type EventQueue, registerQueue, startTestSystem, type TestSystem } from '@tms/test-kit'
import { keepSending } from './support/keep-sending.ts'
import { messagesOf } from './support/observe.ts'

const LISTENERS = 4
const CHANNEL = 'three of each'
/** Messages that must arrive between one fault and the next. */
const TRAFFIC = 10
const WAIT_MS = 60_000

let product: TestSystem
const where = canStartClusters(process.env) ? describe : describe.skip

where('with Redis Cluster and three RabbitMQ nodes', () => {
  beforeAll(async () => {
    product = await startTestSystem({ env: process.env, ownServers: true, topology: 'clusters' })
  }, 240_000)
  afterAll(() => product.stop(), 60_000)

  test('whichever node dies, every listener gets every message once and in order', async () => {
    // Given listeners, whose queues are on all masters, and a sender
    const users = await Promise.all(Array.from({ length: LISTENERS }, () => product.createUser()))
    await product.owner.call(endpoints.messaging.subscribe, {
      subscriptions: [{ name: CHANNEL }],
      principals: users.map(({ userId }) => userId),
    })
    const queues = await Promise.all(users.map((user) => registerQueue(user, { event_types: ['message'] })))
    for (const queue of queues) queue.follow()
    const sending = keepSending(product.owner, CHANNEL, 'sender')
    await traffic(queues)

    // When a node of RabbitMQ dies, then each master of Redis in its turn
    const { rabbitmq, redis } = product.servers
    await rabbitmq.nodes[0]?.kill()
    await traffic(queues)
    const refused: EventQueue[] = []
    for (const master of redis.nodes) {
      await master.kill()
      await Promise.any(queues.map((queue) => traffic([queue])))
      refused.push(...(await refusedOf(queues)))
      await master.start()
    }
    await traffic(queues)

    // Then each was refused while its master was away, and not while others were
    expect(refused).toHaveLength(queues.length)
    expect(new Set(refused)).toEqual(new Set(queues))
    // And each was told what was sent, and the queues are those that were registered
    await sending.stop()
    const sent = (await messagesOf(product.owner, CHANNEL)).slice(1)
    const last = sent.at(-1)?.id
    for (const [index, queue] of queues.entries()) {
      const ids = () => queue.events.map((event) => (event['message'] as { id: number }).id)
      await queue.until(() => ids().at(-1) === last, `the last message at listener ${index}`, WAIT_MS)
      expect(ids()).toEqual(sent.map(({ id }) => id))
      await queue.stop()
    }
    const there = new Set(sent.map(({ id }) => id))
    expect(sending.accepted.filter((id) => !there.has(id))).toEqual([])
  }, 180_000)
})

/** Those whose poll is answered by 503; of the others it is answered. */
const refusedOf = async (queues: readonly EventQueue[]): Promise<readonly EventQueue[]> => {
  const polls = queues.map(async (queue) => {
    // Acknowledges nothing, which its follower does meanwhile.
    const input = { queue_id: queue.queueId, dont_block: true }
    const { status } = await queue.client.send(endpoints.events.getEvents, input)
    if (status !== 200) expect(status).toBe(503)
    return status === 503 ? [queue] : []
  })
  return (await Promise.all(polls)).flat()
}

const traffic = async (queues: readonly EventQueue[]): Promise<void> => {
  const marks = queues.map((queue) => queue.events.length + TRAFFIC)
  await Promise.all(
    queues.map((queue, index) =>
      queue.until(() => queue.events.length >= (marks[index] ?? 0), 'traffic', WAIT_MS),
    ),
  )
}

import { endpoints } from '@tms/contracts'
import { canStartClusters, type ServerNode } from '@tms/local-system'
import { type EventQueue, registerQueue, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messagesOf } from './support/observe.ts'
import { startSending } from './support/start-sending.ts'
import { traffic } from './support/traffic.ts'

const LISTENERS = 4
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

  test.each<[string, Absence]>([
    ['dies', { begin: (node) => node.kill(), end: (node) => node.start() }],
    ['hangs', { begin: (node) => signal(node, 'SIGSTOP'), end: (node) => signal(node, 'SIGCONT') }],
  ])(
    'delivers every message once and in order when master %s while a node of RabbitMQ is down',
    async (how, absence) => {
      // Given listeners, whose queues are on all masters, and a sender
      const channel = `three of each, one ${how}`
      const users = await Promise.all(Array.from({ length: LISTENERS }, () => product.createUser()))
      await product.owner.call(endpoints.messaging.subscribe, {
        subscriptions: [{ name: channel }],
        principals: users.map(({ userId }) => userId),
      })
      const queues = await Promise.all(users.map((user) => registerQueue(user, { event_types: ['message'] })))
      for (const queue of queues) queue.follow()
      const sending = startSending(product.owner, channel, channel)
      await traffic(queues, TRAFFIC, [sending])

      // When a node of RabbitMQ dies, then each master of Redis in turn
      const { rabbitmq, redis } = product.servers
      await rabbitmq.nodes[0]?.kill()
      await traffic(queues, TRAFFIC, [sending])
      const refused: EventQueue[] = []
      for (const master of redis.nodes) {
        await absence.begin(master)
        await Promise.any(queues.map((queue) => traffic([queue], TRAFFIC, [sending])))
        refused.push(...(await refusedOf(queues)))
        await expectReady()
        await absence.end(master)
      }
      await traffic(queues, TRAFFIC, [sending])

      // Then each listener failed while its master was down, and not during the other faults
      expect(refused).toHaveLength(queues.length)
      expect(new Set(refused)).toEqual(new Set(queues))
      // And each received every sent message, and the queues are the registered ones
      await sending.stop()
      const sent = (await messagesOf(product.owner, channel)).slice(1)
      const last = sent.at(-1)?.id
      for (const [index, queue] of queues.entries()) {
        const ids = () => queue.events.map((event) => (event['message'] as { id: number }).id)
        await queue.until(() => ids().at(-1) === last, `the last message at listener ${index}`, WAIT_MS)
        expect(ids()).toEqual(sent.map(({ id }) => id))
        await queue.stop()
      }
      const there = new Set(sent.map(({ id }) => id))
      expect(sending.accepted.filter((id) => !there.has(id))).toEqual([])
    },
    240_000,
  )
})

/** How a node fails, and recovers. */
interface Absence {
  begin(node: ServerNode): Promise<void>
  end(node: ServerNode): Promise<void>
}

const signal = async ({ pid }: ServerNode, name: NodeJS.Signals): Promise<void> => {
  if (pid === null) throw new Error('the node does not run')
  process.kill(pid, name)
}

/** A replica must stay in service when one master of three is down. */
const expectReady = async (): Promise<void> => {
  const urls = Object.values(product.system.urls).flat()
  const answers = await Promise.all(
    urls.map(async (url) => (await fetch(`${url}/health/ready`)).json() as Promise<object>),
  )
  expect(answers).toEqual(urls.map(() => ({ status: 'ready', missing: {}, degraded: {} })))
}

/** Listeners whose poll is answered by 503, as is their registration; for the others both succeed. */
const refusedOf = async (queues: readonly EventQueue[]): Promise<readonly EventQueue[]> => {
  const polls = queues.map(async (queue) => {
    // Acknowledges nothing; its follower does that meanwhile.
    const input = { queue_id: queue.queueId, dont_block: true }
    const [poll, registration] = await Promise.all([
      queue.client.send(endpoints.events.getEvents, input),
      queue.client.send(endpoints.events.register, { event_types: ['message'], fetch_event_types: [] }),
    ])
    expect([200, 503]).toContain(poll.status)
    expect(registration.status).toBe(poll.status)
    return poll.status === 503 ? [queue] : []
  })
  return (await Promise.all(polls)).flat()
}

import { endpoints } from '@tms/contracts'
import { type EventQueue, registerQueue, startTestSystem, stopPolling, type TestSystem } from '@tms/test-kit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { messagesOf, metricOf } from './support/observe.ts'
import { type MessageSender, startSending } from './support/start-sending.ts'
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts'
import { traffic } from './support/traffic.ts'
import { until } from './support/until.ts'

const LISTENERS = 4
/** Events that must arrive between one fault and the next. */
const TRAFFIC = 10
/** No connection stays unresponsive for longer without notice. */
const BOUND_MS = 25_000
/** Requests end, and a connection is opened, on a busy machine. */
const AFTERWARDS_MS = 10_000

type Server = 'redis' | 'rabbitmq'
const proxies = {} as Record<Server | 'messaging' | 'events', TcpProxy>
const sendings: MessageSender[] = []
let product: TestSystem

beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    // Nodes of a cluster announce their own addresses, past any proxy.
    ownServers: process.env['TEST_TOPOLOGY'] === 'clusters',
    topology: 'single',
    proxyServers: async (servers) => ({
      redis: await behindProxy('redis', servers.redis.url),
      rabbitmq: await behindProxy('rabbitmq', servers.rabbitmq.url),
    }),
  })
  const { urls } = product.system
  const gateway = product.system.replica('gateway')
  await gateway.stop()
  await gateway.start({
    MESSAGING_URL: await behindProxy('messaging', `${urls.messaging[0]}`),
    EVENTS_URL: await behindProxy('events', `${urls.events[0]}`),
  })
}, 180_000)
afterEach(async () => {
  await stopPolling()
  await Promise.all(sendings.splice(0).map((sending) => sending.stop()))
})
afterAll(async () => {
  await product.stop()
  for (const proxy of Object.values(proxies)) proxy.close()
})

async function behindProxy(name: keyof typeof proxies, text: string): Promise<string> {
  const url = new URL(text)
  proxies[name] = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
  url.port = String(proxies[name].port)
  return url.toString().replace(/\/$/, '')
}

describe('after a host was lost silently', () => {
  test.each<[Server, () => Promise<boolean>]>([
    ['redis', async () => 'redis' in (await readinessOf('events')).missing],
    // It reconnects before a probe could fail.
    ['rabbitmq', async () => product.system.replica('messaging').logs().some(isOfLostBroker)],
  ])(
    'of %s, whose name resolves elsewhere now, every listener receives every message once and in order',
    async (server, isNoticed) => {
      const { channel, queues, sending } = await startTraffic(`another ${server}`)

      const lostAt = Date.now()
      proxies[server].blackHole({ dropsNew: false })

      await until(isNoticed)
      expect(Date.now() - lostAt).toBeLessThan(BOUND_MS)
      await traffic(queues, TRAFFIC, [sending])
      expect(Date.now() - lostAt).toBeLessThan(BOUND_MS + AFTERWARDS_MS)
      await expectAllReceived(channel, queues, sending)
      await until(areAllReady)
    },
    120_000,
  )

  test('of Redis and RabbitMQ, and came back, every listener receives every message once and in order', async () => {
    const { channel, queues, sending } = await startTraffic('back again')

    const comeBack = [proxies.redis.blackHole(), proxies.rabbitmq.blackHole()]
    await until(async () => {
      const [events, messaging] = [await readinessOf('events'), await readinessOf('messaging')]
      return 'redis' in events.missing && 'rabbitmq' in events.degraded && 'rabbitmq' in messaging.degraded
    })
    // RabbitMQ, and with it the relay.
    expect(await metricOf(`${product.system.urls.messaging[0]}`, 'dependency_missing')).toBeGreaterThan(0)
    const backAt = Date.now()
    for (const restore of comeBack) restore()

    await traffic(queues, TRAFFIC, [sending])
    expect(Date.now() - backAt).toBeLessThan(BOUND_MS + AFTERWARDS_MS)
    await expectAllReceived(channel, queues, sending)
    await until(areAllReady)
    expect(await metricOf(`${product.system.urls.messaging[0]}`, 'dependency_missing')).toBe(0)
  })

  test('of messaging and events, sends and polls continue at others', async () => {
    const { channel, queues, sending } = await startTraffic('services')
    const idle = await registerQueue(product.owner, { event_types: ['realm'] })
    idle.follow()

    const lostAt = Date.now()
    proxies.messaging.blackHole({ dropsNew: false })
    proxies.events.blackHole({ dropsNew: false })

    await traffic(queues, TRAFFIC, [sending])
    expect(Date.now() - lostAt).toBeLessThan(BOUND_MS + AFTERWARDS_MS)
    await expectAllReceived(channel, queues, sending)
    // A poll that was pending since long before, too
    const pendingPoll = idle.waitFor(({ type }) => type === 'realm')
    await product.owner.call(endpoints.realm.updateRealm, { description: 'After the loss' })
    await pendingPoll
    expect(Date.now() - lostAt).toBeLessThan(BOUND_MS + AFTERWARDS_MS)
  })
})

test('while connections to events and messaging break again and again, every listener receives every message once and in order', async () => {
  const { channel, queues, sending } = await startTraffic('breaking')
  const gateway = `${product.system.urls.gateway[0]}`
  expect(await metricOf(gateway, 'gateway_poll_links')).toBeGreaterThan(0)
  await until(async () => (await metricOf(gateway, 'gateway_request_links')) > 0)

  for (let times = 0; times < 20; times++) {
    proxies.events.cut()
    proxies.messaging.cut()
    await traffic(queues, 2, [sending])
  }

  await expectAllReceived(channel, queues, sending)
  expect(queues.flatMap(({ retries }) => retries)).toEqual([])
})

const isOfLostBroker = (line: string): boolean => line.includes('broker connection lost')

async function startTraffic(
  channel: string,
): Promise<{ channel: string; queues: readonly EventQueue[]; sending: MessageSender }> {
  const users = await Promise.all(Array.from({ length: LISTENERS }, () => product.createUser()))
  await product.owner.call(endpoints.messaging.subscribe, {
    subscriptions: [{ name: channel }],
    principals: users.map(({ userId }) => userId),
  })
  const queues = await Promise.all(users.map((user) => registerQueue(user, { event_types: ['message'] })))
  for (const queue of queues) queue.follow()
  const sending = startSending(product.owner, channel, channel, 100)
  sendings.push(sending)
  await traffic(queues, TRAFFIC, [sending])
  return { channel, queues, sending }
}

async function expectAllReceived(
  channel: string,
  queues: readonly EventQueue[],
  sending: MessageSender,
): Promise<void> {
  await sending.stop()
  const sent = (await messagesOf(product.owner, channel)).slice(1).map(({ id }) => id)
  const there = new Set(sent)
  expect(sending.accepted.filter((id) => !there.has(id))).toEqual([])
  for (const [index, queue] of queues.entries()) {
    const ids = () => queue.events.map((event) => (event['message'] as { id: number }).id)
    await queue.until(() => ids().at(-1) === sent.at(-1), `the last message at listener ${index}`)
    expect(ids()).toEqual(sent)
  }
}

interface Readiness {
  readonly status: string
  readonly missing: Readonly<Record<string, string>>
  readonly degraded: Readonly<Record<string, string>>
}

async function readinessOf(
  service: 'events' | 'messaging' | 'gateway' | 'users' | 'realm',
): Promise<Readiness> {
  const answer = await fetch(`${product.system.urls[service][0]}/health/ready`)
  return (await answer.json()) as Readiness
}

async function areAllReady(): Promise<boolean> {
  const services = ['events', 'messaging', 'gateway', 'users', 'realm'] as const
  const found = await Promise.all(services.map(readinessOf))
  return found.every(({ missing, degraded }) => Object.keys({ ...missing, ...degraded }).length === 0)
}

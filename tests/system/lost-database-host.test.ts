import { endpoints } from '@tms/contracts'
import { createLog, createPool, type Pool } from '@tms/service-kit'
import { type EventQueue, registerQueue, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startDatabaseProxy } from './support/database-proxy.ts'
import { messagesOf, metricOf } from './support/observe.ts'
import { readinessOf } from './support/readiness.ts'
import { retryWhileUnavailable } from './support/retry-while-unavailable.ts'
import { startSending } from './support/start-sending.ts'
import type { TcpProxy } from './support/tcp-proxy.ts'
import { traffic } from './support/traffic.ts'
import { until } from './support/until.ts'

/** Instead of 25, which would take too long. */
const SILENCE_SECONDS = 5
/** The bound, plus time for a busy machine, and far less than TCP's timeout. */
const NOTICED_MS = 20_000
const TRAFFIC = 20
const SAMPLE_MS = 200
const WITH_DATABASE = ['messaging', 'users', 'realm'] as const

let product: TestSystem
let proxy: TcpProxy
let administration: Pool
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    ownServers: ['postgres'],
    replicas: { messaging: 2 },
    serviceEnv: { DATABASE_SILENCE_SECONDS: String(SILENCE_SECONDS) },
    proxyServers: async (servers) => {
      const started = await startDatabaseProxy(servers)
      proxy = started.proxy
      return { postgres: started.url }
    },
  })
  administration = createPool(product.servers.postgres.url, 1, createLog('test', 'silent'))
}, 180_000)
afterAll(async () => {
  await administration.end()
  await product.stop()
  proxy.close()
})

let channel = ''
let count = 0
let queue: EventQueue
beforeEach(async () => {
  channel = `channel ${++count}`
  await product.owner.call(endpoints.messaging.subscribe, { subscriptions: [{ name: channel }] })
  queue = (await registerQueue(product.owner, { event_types: ['message'] })).follow()
})

/** Sends to the test's channel until the test ends; later tests would receive its messages. */
const startSendingToChannel = () => {
  const sending = startSending(product.owner, channel, channel)
  onTestFinished(() => sending.stop())
  return sending
}
const urlsOf = (service: (typeof WITH_DATABASE)[number]) => product.system.urls[service]
/** A write request for every service with a database. */
const changes = {
  messaging: () =>
    product.owner.send(endpoints.messaging.sendMessage, {
      type: 'channel',
      to: channel,
      topic: 'change',
      content: 'change',
    }),
  users: () => product.owner.send(endpoints.users.updateSettings, { full_name: `Name ${++count}` }),
  realm: () => product.owner.send(endpoints.realm.updateRealm, { description: `Description ${++count}` }),
}
const untilAllReady = () =>
  until(async () => {
    const urls = WITH_DATABASE.flatMap(urlsOf)
    return (await Promise.all(urls.map(readinessOf))).every(({ status }) => status === 200)
  })
/** Every sent message has arrived, once and in order. */
const expectAllDelivered = async () => {
  const { id } = await retryWhileUnavailable(() =>
    product.owner.call(endpoints.messaging.sendMessage, {
      type: 'channel',
      to: channel,
      topic: 'end',
      content: 'the end',
    }),
  )
  const ids = () => queue.events.map(({ message }) => (message as { id: number }).id)
  await queue.until(() => ids().includes(id), 'the last message')
  const sent = await messagesOf(product.owner, channel)
  expect(ids().slice(-sent.length + 1)).toEqual(sent.slice(1).map((message) => message.id))
}

describe('when the host of PostgreSQL is lost silently and another replaces it', () => {
  test('messages continue and are delivered in order, and no two replicas report that they relay', async () => {
    const sending = startSendingToChannel()
    await traffic([queue], TRAFFIC, [sending])
    const [one = '', other = ''] = urlsOf('messaging')
    const relays = (url: string) => metricOf(url, 'outbox_relay_active')
    // Sent at the same moment without waiting for responses, which take two seconds while PostgreSQL is unresponsive.
    const samples: Promise<number[]>[] = []
    const watching = setInterval(() => samples.push(Promise.all([relays(one), relays(other)])), SAMPLE_MS)
    onTestFinished(() => clearInterval(watching))

    const lostAt = performance.now()
    proxy.blackHole({ dropsNew: false })
    await traffic([queue], TRAFFIC, [sending])
    expect(performance.now() - lostAt).toBeLessThan(NOTICED_MS)

    clearInterval(watching)
    expect(samples.length).toBeGreaterThan(5)
    expect(await Promise.all(samples)).not.toContainEqual([1, 1])
    await sending.stop()
    await expectAllDelivered()
  })

  test('a single replica of messaging delivers all within the bound', async () => {
    const secondReplica = product.system.replica('messaging', 1)
    await secondReplica.stop()
    onTestFinished(() => secondReplica.start())
    const sending = startSendingToChannel()
    await traffic([queue], TRAFFIC, [sending])

    const lostAt = performance.now()
    proxy.blackHole({ dropsNew: false })
    await traffic([queue], TRAFFIC, [sending])
    expect(performance.now() - lostAt).toBeLessThan(NOTICED_MS)

    await sending.stop()
    await expectAllDelivered()
  })

  test.each(WITH_DATABASE)(
    '%s answers every request, and soon with success',
    async (service) => {
      await changes[service]()
      const lostAt = performance.now()
      proxy.blackHole({ dropsNew: false })
      const answers = await Promise.all([changes[service](), changes[service](), changes[service]()])
      for (const { status } of answers) expect([200, 503]).toContain(status)
      await until(async () => (await changes[service]()).status === 200)
      expect(performance.now() - lostAt).toBeLessThan(NOTICED_MS)
    },
    60_000,
  )
})

describe('when the host of PostgreSQL is lost and none replaces it', () => {
  test('services report it, changes fail as unavailable, and everything continues afterwards', async () => {
    const sending = startSendingToChannel()
    await traffic([queue], TRAFFIC, [sending])

    const restore = proxy.blackHole()
    for (const service of WITH_DATABASE) {
      const { status, headers, body } = await changes[service]()
      expect({ service, status, retryAfter: headers.get('retry-after'), code: body['code'] }).toEqual({
        service,
        status: 503,
        retryAfter: expect.any(String),
        code: 'SERVICE_UNAVAILABLE',
      })
      for (const url of urlsOf(service)) {
        // The relay is named once it has stalled for longer than a moment.
        await until(async () => 'outbox_relay' in (await readinessOf(url)).degraded)
        expect(await readinessOf(url)).toMatchObject({
          status: 503,
          missing: { postgres: 'is not available' },
          degraded: { outbox_relay: 'does not get on' },
        })
        expect(await metricOf(url, 'outbox_relay_active')).toBe(0)
        expect(await metricOf(url, 'outbox_relay_stalled_seconds')).toBeGreaterThan(5)
      }
    }

    restore()
    await traffic([queue], TRAFFIC, [sending])
    await sending.stop()
    await untilAllReady()
    await expectAllDelivered()
  }, 180_000)
})

describe('while PostgreSQL is read-only', () => {
  const setReadOnly = async (value: 'on' | 'off') => {
    // A session is read-only from its next transaction on, so this one can revert it.
    await administration.query('set default_transaction_read_only = off')
    await administration.query(`alter system set default_transaction_read_only = ${value}`)
    await administration.query('select pg_reload_conf()')
  }

  test('changes fail as unavailable, services report why they are not ready, and everything continues afterwards', async () => {
    const sending = startSendingToChannel()
    await traffic([queue], TRAFFIC, [sending])

    await setReadOnly('on')
    for (const service of WITH_DATABASE) {
      await until(async () => (await changes[service]()).status !== 200)
      const { status, headers, body } = await changes[service]()
      expect({ service, status, retryAfter: headers.get('retry-after'), code: body['code'] }).toEqual({
        service,
        status: 503,
        retryAfter: expect.any(String),
        code: 'SERVICE_UNAVAILABLE',
      })
      for (const url of urlsOf(service)) {
        // Meanwhile its connections are made anew, and on a busy machine there may be none.
        await until(async () => (await readinessOf(url)).missing?.['postgres'] === 'is read-only')
        expect((await readinessOf(url)).status).toBe(503)
      }
    }

    await setReadOnly('off')
    await traffic([queue], TRAFFIC, [sending])
    await sending.stop()
    await untilAllReady()
    for (const service of WITH_DATABASE) expect(await changes[service]()).toMatchObject({ status: 200 })
    await expectAllDelivered()
  })
})

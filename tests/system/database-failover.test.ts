import { endpoints } from '@tms/contracts'
import { canStartClusters } from '@tms/local-system'
import { createLog, createPool, runMigrate } from '@tms/service-kit'
import { registerQueue, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf } from './support/database-proxy.ts'
import { messagesOf } from './support/observe.ts'
import { readinessOf } from './support/readiness.ts'
import { type Standby, startStandby } from './support/standby.ts'
import { startSending } from './support/start-sending.ts'
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts'
import { traffic } from './support/traffic.ts'
import { until } from './support/until.ts'

const SILENCE_SECONDS = 5
const TRAFFIC = 20
const WITH_DATABASE = ['messaging', 'users', 'realm'] as const
/** A standby is made of a server whose files are on this machine. */
const env = { ...process.env, TEST_SERVERS: 'private' }
const where = canStartClusters(env) ? describe : describe.skip

let product: TestSystem
let standby: Standby
let proxy: TcpProxy
/** Names the primary, behind the proxy, and its standby. */
let url = ''
where('with several servers in the URL', () => {
  beforeAll(async () => {
    product = await startTestSystem({
      env,
      ownServers: ['postgres'],
      serviceEnv: { DATABASE_SILENCE_SECONDS: String(SILENCE_SECONDS) },
      proxyServers: async ({ postgres }) => {
        standby = await startStandby(postgres.url)
        proxy = await startTcpProxy(addressOf(postgres.url))
        const { username, password } = new URL(postgres.url)
        // The standby first: it responds, but is not the primary.
        url = `postgres://${username}:${password}@127.0.0.1:${standby.port},127.0.0.1:${proxy.port}/postgres?target_session_attrs=read-write`
        return { postgres: url }
      },
    })
  }, 240_000)
  afterAll(async () => {
    await product.stop()
    proxy.close()
    await standby.stop()
  })

  test('messages continue at the promoted standby, and nothing is lost', async () => {
    const channel = 'failover'
    await product.owner.call(endpoints.messaging.subscribe, { subscriptions: [{ name: channel }] })
    const queue = (await registerQueue(product.owner, { event_types: ['message'] })).follow()
    const sending = startSending(product.owner, channel, channel)
    await traffic([queue], TRAFFIC, [sending])

    // When the primary is lost silently
    proxy.blackHole()
    const answer = await product.owner.send(endpoints.realm.updateRealm, { description: 'gone' })
    expect(answer).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    for (const service of WITH_DATABASE)
      for (const replica of product.system.urls[service])
        await until(async () => (await readinessOf(replica)).missing['postgres'] === 'is read-only')

    // And its standby takes over
    const promotedAt = performance.now()
    await standby.promote()
    await traffic([queue], TRAFFIC, [sending])
    expect(performance.now() - promotedAt).toBeLessThan(20_000)
    await sending.stop()

    // Then every service works, and the delivered messages are the sent ones
    await product.owner.call(endpoints.realm.updateRealm, { description: 'there again' })
    await product.owner.call(endpoints.users.updateSettings, { full_name: 'There Again' })
    const sent = await messagesOf(product.owner, channel)
    const ids = () => queue.events.map(({ message }) => (message as { id: number }).id)
    await queue.until(() => ids().includes(sent.at(-1)?.id ?? 0), 'the last message')
    expect(ids()).toEqual(expect.arrayContaining(sent.slice(1).map(({ id }) => id)))
    expect([...ids()].sort((one, other) => one - other)).toEqual(ids())
    expect(sending.accepted.filter((id) => !sent.some((message) => message.id === id))).toEqual([])
  }, 180_000)

  test('migrations use the server that accepts writes', async () => {
    const { pathname } = new URL(product.system.databaseUrls.realm)
    const database = url.replace('/postgres?', `${pathname}?`)
    const migrations = new URL('../../services/realm/migrations', import.meta.url)
    expect(
      await runMigrate('realm', { env: { DATABASE_URL: database, LOG_LEVEL: 'silent' }, migrations }),
    ).toBe(0)
    const db = createPool(database, 1, createLog('test', 'silent'))
    const { rows } = await db.query<{ is: boolean }>('select pg_is_in_recovery() as is')
    await db.end()
    expect(rows).toEqual([{ is: false }])
  })
})

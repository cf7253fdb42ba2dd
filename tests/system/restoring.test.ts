import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { endpoints } from '@tms/contracts'
import {
  closeRedis,
  connectBroker,
  connectRedis,
  createLog,
  declareTopology,
  mastersOf,
  topologyOf,
  untilRedisReady,
} from '@tms/service-kit'
import { type ApiClient, registerQueue, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backUp, canBackUp } from './support/database-backup.ts'
import { takeLastMigrationBack } from './support/earlier-schema.ts'
import { waitForMail } from './support/mails.ts'
import { messagesOf } from './support/observe.ts'
import { environmentOf, runManageHere } from './support/run-manage.ts'
import { until } from './support/until.ts'

const CHANNEL = 'kept and lost'
const DATABASES = ['users', 'realm', 'messaging'] as const
const silent = createLog('test', 'silent')

let product: TestSystem
beforeAll(async () => {
  product = await startTestSystem({ env: process.env, ownServers: true })
  await product.owner.call(endpoints.messaging.subscribe, { subscriptions: [{ name: CHANNEL }] })
}, 180_000)
afterAll(() => product.stop(), 60_000)

const send = async (client: ApiClient, content: string): Promise<number> =>
  (await client.call(endpoints.messaging.sendMessage, { type: 'stream', to: CHANNEL, topic: 'x', content }))
    .id

const contents = async (): Promise<string[]> =>
  (await messagesOf(product.owner, CHANNEL)).map(({ content }) => content.replace(/<\/?p>/g, ''))

let rounds = 0

/** Data before and after a backup. */
async function live() {
  const name = `Round ${++rounds}`
  const before = await product.createUser(`Before ${name}`)
  await send(product.owner, `${name}: before`)
  const backup = await backUp(product)
  const since = await product.createUser(`Since ${name}`)
  const messageId = await send(product.owner, `${name}: since`)
  const queue = await registerQueue(product.owner, { event_types: ['message'] })
  await send(product.owner, `${name}: published`)
  await queue.until(() => queue.events.length > 0, 'the message')
  await queue.stop()
  return { name, backup, before, since, messageId, queue }
}

/** Empties Redis, as after a restart on an empty disk. */
async function loseRedis(): Promise<void> {
  const redis = connectRedis(product.servers.redis.url, silent)
  await untilRedisReady(redis, 30_000)
  await Promise.all(mastersOf(redis).map((master) => master.flushall()))
  await closeRedis(redis)
}

/** Empties RabbitMQ for this system, as after a restart on an empty disk. */
async function loseRabbitmq(): Promise<void> {
  const topology = topologyOf(product.system.namespace)
  const broker = connectBroker(product.servers.rabbitmq.url, silent, (channel) =>
    declareTopology(channel, topology),
  )
  await new Promise<void>((resolve) => broker.onConnected(resolve))
  const channel = await broker.channel()
  await channel.deleteQueue(topology.log)
  await channel.deleteQueue(topology.projections)
  await channel.deleteQueue(topology.audit)
  await channel.deleteExchange(topology.exchange)
  await declareTopology(channel, topology)
  await broker.close()
}

/** Runs an operator's command in a service's folder, as in its image. */
async function runIn(service: string, script: string, env: NodeJS.ProcessEnv) {
  const path = new URL(`../../services/${service}/dist/${script}.js`, import.meta.url).pathname
  const child = spawn(process.execPath, [path], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const status = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { status: await status, stdout, stderr }
}

const runAfterRestore = (service: (typeof DATABASES)[number]) =>
  runIn(service, 'after-restore', { DATABASE_URL: product.system.databaseUrls[service] })
const migrate = (service: (typeof DATABASES)[number]) =>
  runIn(service, 'migrate', { DATABASE_URL: product.system.databaseUrls[service], LOG_LEVEL: 'info' })
/** The migrations that a log reports as applied. */
const appliedIn = (log: string): string[] =>
  [...log.matchAll(/"migration":"(?<name>[^"]+)"/g)].map(({ groups }) => groups?.['name'] ?? '')
const endQueues = () =>
  runIn('events', 'end-queues', {
    REDIS_URL: product.servers.redis.url,
    NAMESPACE: product.system.namespace,
  })
const replay = () => runManageHere(environmentOf(product), ['replay', '--from', 'all'])

/** Checks that everything works for existing and new users, with unused IDs. */
async function expectToWork({ name, messageId, before, since }: Awaited<ReturnType<typeof live>>) {
  // The first event of users has a sequence number at which it would be dropped if it had been used before.
  const renamed = `Renamed ${name}`
  expect((await before.request('PATCH', '/settings', [['full_name', renamed]])).status).toBe(200)
  await product.owner.call(endpoints.messaging.subscribe, {
    subscriptions: [{ name: CHANNEL }],
    principals: [before.userId],
  })
  await send(before, `${name}: renamed`)
  expect((await messagesOf(product.owner, CHANNEL)).at(-1)).toMatchObject({ sender_full_name: renamed })

  const queue = await registerQueue(product.owner, { event_types: ['message'] })
  queue.follow()
  const id = await send(product.owner, `${name}: afterwards`)
  await queue.until(() => queue.events.length > 0, 'the message')
  expect(queue.events.map(({ message }) => (message as { id: number }).id)).toEqual([id])
  expect(id).toBeGreaterThan(messageId)
  await queue.stop()

  const newMember = await product.createUser(`Afterwards ${name}`)
  expect(newMember.userId).toBeGreaterThan(since.userId)
  await newMember.call(endpoints.messaging.subscribe, { subscriptions: [{ name: CHANNEL }] })
  expect(await send(newMember, `${name}: a new user`)).toBeGreaterThan(id)
}

const stillRuns = { status: 1, stderr: expect.stringContaining('still runs') }

const expectEnded = async ({ queueId, lastEventId }: { queueId: string; lastEventId: number }) =>
  until(async () => {
    const { body } = await product.owner.request('GET', '/events', [
      ['queue_id', queueId],
      ['last_event_id', String(lastEventId)],
      ['dont_block', 'true'],
    ])
    return (body as { code?: string }).code === 'BAD_EVENT_QUEUE_ID'
  })

describe('while everything runs', () => {
  test.each([
    ['Redis', [loseRedis]],
    ['RabbitMQ', [loseRabbitmq]],
    ['Redis and RabbitMQ', [loseRedis, loseRabbitmq]],
  ] as const)(
    '%s may lose all data: queues end, and everything else continues',
    async (name, losses) => {
      const lived = await live()
      lived.backup.remove()
      for (const lose of losses) await lose()

      await expectEnded(lived.queue)
      expect((await replay()).code).toBe(0)
      await expectToWork(lived)
      expect(await contents()).toEqual(
        expect.arrayContaining([`${lived.name}: before`, `${lived.name}: since`]),
      )
      expect((await lived.since.request('GET', '/users/me')).status).toBe(200)
    },
    180_000,
  )
})

const describeWithBackups = canBackUp ? describe : describe.skip
describeWithBackups('from a backup', () => {
  const restore = async ({ backup }: Awaited<ReturnType<typeof live>>) => {
    await Promise.all(product.system.replicas.map((replica) => replica.stop()))
    await backup.restore(DATABASES)
  }
  const startAgain = async () => {
    for (const service of DATABASES) expect(await runAfterRestore(service)).toMatchObject({ status: 0 })
    expect(await endQueues()).toMatchObject({ status: 0 })
    await Promise.all(product.system.replicas.map((replica) => replica.start()))
    expect((await replay()).code).toBe(0)
  }

  test('of the previous release, databases are migrated and used', async () => {
    const lived = await live()
    await restore(lived)
    lived.backup.remove()
    for (const service of DATABASES) {
      const taken = await takeLastMigrationBack(service, product.system.databaseUrls[service])
      const { stdout, ...ended } = await migrate(service)
      expect(ended).toEqual({ status: 0, stderr: '' })
      expect(appliedIn(stdout)).toEqual(taken === null ? [] : [taken])
    }
    await startAgain()

    await expectToWork(lived)
    expect(await contents()).toContain(`${lived.name}: before`)
  }, 240_000)

  test('that was restored before, no ID is used twice either', async () => {
    const lived = await live()
    const given = []
    for (const round of ['first', 'second']) {
      await restore(lived)
      await startAgain()
      const person = await product.createUser(`After the ${round} time`)
      const email = `${round}@example.com`
      await product.owner.call(endpoints.users.inviteByEmail, { invitee_emails: email, stream_ids: [] })
      given.push({
        ...{ userId: person.userId, messageId: await send(product.owner, 'Again?') },
        // Mail programs take a mail with the ID of an earlier one for the same.
        mailId: (await waitForMail(product, email, '')).messageId,
      })
    }
    lived.backup.remove()

    const [first, second] = given
    expect(first?.userId).toBeGreaterThan(lived.since.userId)
    expect(first?.messageId).toBeGreaterThan(lived.messageId)
    expect(second?.userId).toBeGreaterThan(first?.userId ?? Infinity)
    expect(second?.messageId).toBeGreaterThan(first?.messageId ?? Infinity)
    expect(first?.mailId).toMatch(/^<job-/)
    expect(second?.mailId).not.toBe(first?.mailId)
  }, 240_000)

  test.each([
    ['all databases', DATABASES, []],
    ['all databases, and Redis lost,', DATABASES, [loseRedis]],
    ['all databases, and RabbitMQ lost,', DATABASES, [loseRabbitmq]],
    ['all databases, and Redis and RabbitMQ lost,', DATABASES, [loseRedis, loseRabbitmq]],
    ['that of users', ['users'], []],
    ['that of messaging', ['messaging'], []],
  ] as const)(
    '%s are used: queues end, and no ID is used twice',
    async (_name, restored, losses) => {
      const lived = await live()
      // Each takes two seconds, within the lease of a running replica, so they run side by side, here and below.
      if (losses.length === 0) {
        const refusals = await Promise.all([...restored.map(runAfterRestore), endQueues()])
        expect(refusals).toEqual(refusals.map(() => expect.objectContaining(stillRuns)))
      }

      await Promise.all(product.system.replicas.map((replica) => replica.stop()))
      for (const lose of losses) await lose()
      await lived.backup.restore(restored)
      lived.backup.remove()
      const [ended, ...prepared] = await Promise.all([endQueues(), ...restored.map(runAfterRestore)])
      expect(prepared).toEqual(
        restored.map(() =>
          expect.objectContaining({ status: 0, stdout: expect.stringMatching(/a new stream/) }),
        ),
      )
      expect(ended).toMatchObject({ status: 0, stdout: expect.stringMatching(/every queue has ended/) })
      await Promise.all(product.system.replicas.map((replica) => replica.start()))

      expect((await replay()).code).toBe(0)
      await expectEnded(lived.queue)
      const areUsersRestored = (restored as readonly string[]).includes('users')
      expect((await lived.since.request('GET', '/users/me')).status).toBe(areUsersRestored ? 401 : 200)
      expect((await lived.before.request('GET', '/users/me')).status).toBe(200)
      await expectToWork(lived)
      const areMessagesRestored = (restored as readonly string[]).includes('messaging')
      expect(await contents()).toContain(`${lived.name}: before`)
      expect((await contents()).includes(`${lived.name}: since`)).toBe(!areMessagesRestored)
    },
    240_000,
  )
})

import { endpoints } from '@tms/contracts'
import {
  type EventQueue,
  registerQueue,
  startTestSystem,
  stopFollowing,
  type TestSystem,
} from '@tms/test-kit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { outcomeOf } from './consistency/change-row.ts'
import { stateOf } from './consistency/observations.ts'
import {
  atBoth,
  provePaused,
  proveThroughout,
  type Report,
  repeatableRows,
  rowNamed,
} from './consistency/prove-throughout.ts'
import { createStage, type Stage } from './consistency/stage.ts'
import { createEndless } from './support/forever.ts'
import { keepSending } from './support/keep-sending.ts'
import { say } from './support/people.ts'
import { persist } from './support/persist.ts'
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts'

/** A replica that stands still has its lease for about two seconds; a busy machine adds to it. */
const BEHIND_MS = 3_000
/** Uses that are to be seen before, in and after a trouble. */
const USES = 30
const PAUSED_TURNS = 4

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })
let product: TestSystem
let broker: TcpProxy
let stage: Stage
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    ownServers: true,
    // Nodes of a cluster tell addresses of their own, past any proxy.
    topology: 'single',
    replicas: { gateway: 2, messaging: 2, users: 2, realm: 2, events: 2 },
    serviceEnv: { TRUST_PROXY: 'true', DEVELOPMENT_LOGIN: 'true' },
  })
  const url = new URL(product.servers.rabbitmq.url)
  broker = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
  url.port = String(broker.port)
  // What comes to messaging alone can be late.
  for (const index of [0, 1]) {
    const replica = product.system.replica('messaging', index)
    await replica.stop()
    await replica.start({ RABBITMQ_URL: url.toString() })
  }
}, 240_000)
beforeEach(async () => {
  stage = await createStage(product)
}, 60_000)
afterEach(stopFollowing)
afterAll(async () => {
  await product.stop()
  broker.close()
}, 60_000)

const expectNeverStale = ({ stale, wrong, served }: Report): void => {
  expect(stale).toEqual([])
  expect(wrong).toEqual([])
  expect(served).toBeGreaterThan(0)
}

describe('a change that was answered is in force for every request that begins', () => {
  test('under load', async () => {
    const { owner, createUser, createChannel, newName } = stage
    const senders = [await createUser(), await createUser(), await createUser()] as const
    const { name } = await createChannel(senders)
    const sendings = senders.map((sender, index) => keepSending(sender, name, `load ${index}`))
    const changes = createEndless()
    changes.forever(() => owner.call(endpoints.realm.updateRealm, { description: newName('load') }))
    changes.forever((turn) => senders[0].call(endpoints.users.updateSettings, { dense_mode: turn % 2 === 0 }))

    const report = await proveThroughout(stage, repeatableRows, (goOn) => goOn(10 * USES))

    await Promise.all([changes, ...sendings].map((work) => work.stop()))
    expectNeverStale(report)
    expect(report.refused).toBe(0)
  })

  test.each([
    ['messaging', 'emoticons are turned into emoji, then a message is rendered'],
    ['messaging', 'editing is forbidden, then a message is edited'],
    ['gateway', 'an account is deactivated or reactivated, then calls'],
    ['gateway', 'a user becomes an administrator or a member, then changes the organization'],
    ['users', 'groups are for moderators to create, then a member creates one'],
  ] as const)('at a replica of %s that stood still: %s', async (service, name) => {
    const replica = product.system.replica(service, 1)
    const { stale, longestChangeMs } = await provePaused(stage, rowNamed(name), {
      pause: () => replica.kill('SIGSTOP'),
      resume: () => replica.kill('SIGCONT'),
      turns: PAUSED_TURNS,
      usesAtOnce: service === 'gateway' ? 1 : 4,
    })

    expect(stale).toEqual([])
    expect(longestChangeMs).toBeLessThan(BEHIND_MS)
  })

  test('while the projection for messaging are late', async () => {
    const report = await proveThroughout(stage, repeatableRows, async (goOn) => {
      for (let round = 0; round < 3; round++) {
        const release = broker.hold()
        try {
          await goOn(USES)
        } finally {
          release()
        }
      }
    })

    expectNeverStale(report)
    expect(report.refused).toBe(0)
  })

  test('while RabbitMQ is stopped, and changes and uses go on', async () => {
    const { rabbitmq } = product.servers
    let changedWhileAway = 0
    const report = await proveThroughout(stage, repeatableRows, async (goOn) => {
      await goOn(USES)
      await rabbitmq.stop()
      try {
        await goOn(3 * USES)
        changedWhileAway = 3 * USES
      } finally {
        await rabbitmq.start()
      }
      await goOn(USES)
    })

    expectNeverStale(report)
    expect(report.served).toBeGreaterThan(changedWhileAway)
  })

  test('while replicas of messaging are killed and started', async () => {
    const report = await proveThroughout(stage, repeatableRows, async (goOn) => {
      for (const index of [0, 1]) {
        const replica = product.system.replica('messaging', index)
        await goOn(USES)
        await replica.kill()
        await goOn(USES)
        await replica.start()
      }
      await goOn(USES)
    })

    expect(report.stale).toEqual([])
    expect(report.served).toBeGreaterThan(USES)
  })
})

describe('while Redis is stopped', () => {
  test('nothing stale is served, and what is refused is so for the moment', async () => {
    const { redis } = product.servers
    const report = await proveThroughout(stage, repeatableRows, async (goOn) => {
      await goOn(USES)
      await redis.stop()
      try {
        await goOn(USES)
      } finally {
        await redis.start()
      }
      await goOn(USES)
    })

    expectNeverStale(report)
  })

  test('messages are sent and read', async () => {
    const { createUser, createChannel } = stage
    const member = await createUser()
    const { name } = await createChannel([member])
    await say(member, name, 'before')
    const { redis } = product.servers
    await redis.stop()
    try {
      for (const client of atBoth(stage, member)) {
        const message_id = await say(client, name, 'while it is stopped')
        const { message } = await client.call(endpoints.messaging.getMessage, { message_id })
        expect(message.content).toContain('while it is stopped')
      }
    } finally {
      await redis.start()
    }
  })

  test('a change that is refused is either made everywhere or nowhere once it is back', async () => {
    const { owner, createUser, createChannel, newName } = stage
    const member = await createUser()
    const message_id = await say(member, (await createChannel([member])).name)
    const { redis } = product.servers
    await redis.stop()
    const answer = await owner
      .send(endpoints.realm.updateRealm, { allow_message_editing: false })
      .finally(() => redis.start())

    expect([200, 503]).toContain(answer.status)
    const isAllowed = (await persist(() => stateOf(owner, 'realm')))['realm_allow_message_editing']
    if (answer.status === 200) expect(isAllowed).toBe(false)
    const uses = atBoth(stage, member).flatMap((client) => [client, client])
    for (const client of uses) {
      const input = { message_id, content: newName('text') }
      const outcome = outcomeOf(await client.send(endpoints.messaging.editMessage, input))
      expect(outcome).toBe(isAllowed ? 'allowed' : 'refused')
    }
  })
})

describe.each(['users', 'realm'] as const)('while %s is stopped', (service) => {
  test('messages are sent and polled by those who are known', async () => {
    const { createUser, createChannel } = stage
    const [sender, reader] = [await createUser(), await createUser()]
    const { name } = await createChannel([sender, reader])
    const queues: EventQueue[] = []
    for (const client of atBoth(stage, reader)) {
      queues.push((await registerQueue(client, { event_types: ['message'] })).follow())
    }
    for (const client of atBoth(stage, sender)) await say(client, name, 'before')
    const replicas = [0, 1].map((index) => product.system.replica(service, index))
    await Promise.all(replicas.map((replica) => replica.stop()))
    try {
      for (const client of atBoth(stage, sender)) {
        for (let count = 0; count < 4; count++) {
          const id = await say(client, name, `while ${service} is stopped`)
          for (const queue of queues) {
            await queue.waitFor(({ message }) => (message as { id: number }).id === id, `message ${id}`)
          }
        }
      }
    } finally {
      await Promise.all(replicas.map((replica) => replica.start()))
    }
  })
})

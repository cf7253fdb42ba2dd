import { endpoints } from '@tms/contracts'
import { type EventQueue, registerQueue, startTestSystem, stopPolling, type TestSystem } from '@tms/test-kit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { outcomeOf } from './consistency/change-row.ts'
import { createEnvironment, type Environment } from './consistency/environment.ts'
import { stateOf } from './consistency/observations.ts'
import {
  atBoth,
  getRow,
  proveThroughout,
  proveWhilePaused,
  type Report,
  repeatableRows,
} from './consistency/prove-throughout.ts'
import { createRepeater } from './support/repeater.ts'
import { retryWhileUnavailable } from './support/retry-while-unavailable.ts'
import { startSending } from './support/start-sending.ts'
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts'
import { until } from './support/until.ts'
import { sendToChannel } from './support/users-and-channels.ts'

/** A change waits for a paused replica until its lease ends, some two seconds; without leases it would wait until it goes on. */
const BEHIND_MS = 20_000
/** The number of uses to observe before, during and after a fault. */
const USES = 30
const PAUSED_TURNS = 4

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })
let product: TestSystem
let broker: TcpProxy
let environment: Environment
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    ownServers: ['redis', 'rabbitmq'],
    // Nodes of a cluster announce their own addresses, past any proxy.
    topology: 'single',
    replicas: { gateway: 2, messaging: 2, users: 2, realm: 2, events: 2 },
    serviceEnv: { TRUST_PROXY: 'true', DEVELOPMENT_LOGIN: 'true' },
  })
  const url = new URL(product.servers.rabbitmq.url)
  broker = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
  url.port = String(broker.port)
  // Only messages to messaging are delayed.
  for (const index of [0, 1]) {
    const replica = product.system.replica('messaging', index)
    await replica.stop()
    await replica.start({ RABBITMQ_URL: url.toString() })
  }
}, 240_000)
/** Each replica connects again by itself to what the test before has stopped. */
const untilConnected = () =>
  until(async () => {
    const { owner } = product
    const answers = await Promise.all(
      [0, 1, 2, 3].flatMap((turn) => [
        owner.send(endpoints.realm.updateRealm, { description: `turn ${turn}` }),
        owner.send(endpoints.users.updateSettings, { dense_mode: turn % 2 === 0 }),
      ]),
    )
    return answers.every(({ status }) => status === 200)
  })
beforeEach(async () => {
  await untilConnected()
  environment = await createEnvironment(product)
})
afterEach(stopPolling)
afterAll(async () => {
  await product.stop()
  broker.close()
})

const expectNeverStale = ({ stale, wrong, served }: Report): void => {
  expect(stale).toEqual([])
  expect(wrong).toEqual([])
  expect(served).toBeGreaterThan(0)
}

describe('an acknowledged change applies to every later request', () => {
  test('under load', async () => {
    const { owner, createUser, createChannel, newName } = environment
    const senders = [await createUser(), await createUser(), await createUser()] as const
    const { name } = await createChannel(senders)
    const sendings = senders.map((sender, index) => startSending(sender, name, `load ${index}`))
    const changes = createRepeater()
    changes.repeat(() => owner.call(endpoints.realm.updateRealm, { description: newName('load') }))
    changes.repeat((turn) => senders[0].call(endpoints.users.updateSettings, { dense_mode: turn % 2 === 0 }))

    const report = await proveThroughout(environment, repeatableRows, (waitForUses) => waitForUses(10 * USES))

    await Promise.all([changes, ...sendings].map((work) => work.stop()))
    expectNeverStale(report)
    expect(report.refused).toBe(0)
  }, 360_000)

  test.each([
    ['messaging', 'emoticons are turned into emoji, then a message is rendered'],
    ['messaging', 'editing is forbidden, then a message is edited'],
    ['gateway', 'an account is deactivated or reactivated, then calls'],
    ['gateway', 'a user becomes an administrator or a member, then changes the organization'],
    ['users', 'groups are for moderators to create, then a member creates one'],
  ] as const)('at a replica of %s that was paused: %s', async (service, name) => {
    const replica = product.system.replica(service, 1)
    const { stale, longestChangeMs } = await proveWhilePaused(environment, getRow(name), {
      pause: () => replica.kill('SIGSTOP'),
      resume: () => replica.kill('SIGCONT'),
      turns: PAUSED_TURNS,
      usesAtOnce: service === 'gateway' ? 1 : 4,
    })

    expect(stale).toEqual([])
    expect(longestChangeMs).toBeLessThan(BEHIND_MS)
  })

  test('while messages to messaging are delayed', async () => {
    const report = await proveThroughout(environment, repeatableRows, async (waitForUses) => {
      for (let round = 0; round < 3; round++) {
        const release = broker.delay()
        try {
          await waitForUses(USES)
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
    const report = await proveThroughout(environment, repeatableRows, async (waitForUses) => {
      await waitForUses(USES)
      await rabbitmq.stop()
      try {
        await waitForUses(3 * USES)
        changedWhileAway = 3 * USES
      } finally {
        await rabbitmq.start()
      }
      await waitForUses(USES)
    })

    expectNeverStale(report)
    expect(report.served).toBeGreaterThan(changedWhileAway)
  })

  test('while replicas of messaging are killed and started', async () => {
    const report = await proveThroughout(environment, repeatableRows, async (waitForUses) => {
      for (const index of [0, 1]) {
        const replica = product.system.replica('messaging', index)
        await waitForUses(USES)
        await replica.kill()
        await waitForUses(USES)
        await replica.start()
      }
      await waitForUses(USES)
    })

    expect(report.stale).toEqual([])
    expect(report.served).toBeGreaterThan(USES)
  })
})

describe('while Redis is stopped', () => {
  test('no stale data is served, and failures are temporary', async () => {
    const { redis } = product.servers
    const report = await proveThroughout(environment, repeatableRows, async (waitForUses) => {
      await waitForUses(USES)
      await redis.stop()
      try {
        await waitForUses(USES)
      } finally {
        await redis.start()
      }
      await waitForUses(USES)
    })

    expectNeverStale(report)
  })

  test('messages are sent and read', async () => {
    const { createUser, createChannel } = environment
    const member = await createUser()
    const { name } = await createChannel([member])
    await sendToChannel(member, name, 'before')
    const { redis } = product.servers
    await redis.stop()
    try {
      for (const client of atBoth(environment, member)) {
        const message_id = await sendToChannel(client, name, 'while it is stopped')
        const { message } = await client.call(endpoints.messaging.getMessage, { message_id })
        expect(message.content).toContain('while it is stopped')
      }
    } finally {
      await redis.start()
    }
  })

  test('a failed change is applied everywhere or nowhere after the restart', async () => {
    const { owner, createUser, createChannel, newName } = environment
    const member = await createUser()
    const message_id = await sendToChannel(member, (await createChannel([member])).name)
    const { redis } = product.servers
    await redis.stop()
    const answer = await owner
      .send(endpoints.realm.updateRealm, { allow_message_editing: false })
      .finally(() => redis.start())

    expect([200, 503]).toContain(answer.status)
    const isAllowed = (await retryWhileUnavailable(() => stateOf(owner, 'realm')))[
      'realm_allow_message_editing'
    ]
    if (answer.status === 200) expect(isAllowed).toBe(false)
    const uses = atBoth(environment, member).flatMap((client) => [client, client])
    for (const client of uses) {
      const input = { message_id, content: newName('text') }
      const outcome = outcomeOf(await client.send(endpoints.messaging.editMessage, input))
      expect(outcome).toBe(isAllowed ? 'allowed' : 'refused')
    }
  })
})

describe.each(['users', 'realm'] as const)('while %s is stopped', (service) => {
  test('known users send and poll messages', async () => {
    const { createUser, createChannel } = environment
    const [sender, reader] = [await createUser(), await createUser()]
    const { name } = await createChannel([sender, reader])
    const queues: EventQueue[] = []
    for (const client of atBoth(environment, reader)) {
      queues.push((await registerQueue(client, { event_types: ['message'] })).follow())
    }
    for (const client of atBoth(environment, sender)) await sendToChannel(client, name, 'before')
    const replicas = [0, 1].map((index) => product.system.replica(service, index))
    await Promise.all(replicas.map((replica) => replica.stop()))
    try {
      for (const client of atBoth(environment, sender)) {
        for (let count = 0; count < 4; count++) {
          const id = await sendToChannel(client, name, `while ${service} is stopped`)
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

import { endpoints } from '@tms/contracts'
import type { Replica } from '@tms/local-system'
import { type ApiClient, registerQueue, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeOf, keepChanging } from './support/keep-changing.ts'
import { keepReacting } from './support/keep-reacting.ts'
import { keepSending, type Sending } from './support/keep-sending.ts'
import { messagesOf, metricOf } from './support/observe.ts'
import { whisper } from './support/people.ts'
import { traffic } from './support/traffic.ts'
import { until } from './support/until.ts'

const LISTENERS = 6
const SENDERS = 3
const CHANNEL = 'fault lines'
/** Messages that must arrive between one fault and the next, so that each happens amid traffic. */
const TRAFFIC = 40

let product: TestSystem
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    ownServers: true,
    replicas: { events: 2, messaging: 2 },
  })
}, 180_000)
afterAll(() => product.stop(), 60_000)

describe('whatever process dies', () => {
  test('every listener gets every message, every change of one and every reaction exactly once and in order', async () => {
    // Given senders and listeners in full swing
    const users = await Promise.all(Array.from({ length: LISTENERS }, () => product.createUser()))
    await product.owner.call(endpoints.messaging.subscribe, {
      subscriptions: [{ name: CHANNEL }],
      principals: users.map(({ userId }) => userId),
    })
    const [undecided] = users as [ApiClient]
    const doubtful = await whisper(product.owner, [undecided])
    const event_types = ['message', 'update_message', 'delete_message']
    const queues = await Promise.all(users.map((user) => registerQueue(user, { event_types })))
    for (const queue of queues) queue.follow()
    const sendings = users
      .slice(0, SENDERS)
      .map((user, index) => keepSending(user, CHANNEL, `sender ${index}`))
    const changing = keepChanging(product.owner, CHANNEL)

    const reactions = await registerQueue(product.owner, { event_types: ['reaction'] })
    reactions.follow()
    const reacting = keepReacting(undecided, doubtful)

    const makers = [...sendings, changing, reacting]

    // When one process after another is killed and comes back
    await traffic(queues, TRAFFIC, makers)
    const { system, servers } = product
    await killAndRestart(system.replica('events', 0))
    await traffic(queues, TRAFFIC, makers)
    await killAndRestart(system.replica('events', 1))
    await traffic(queues, TRAFFIC, makers)
    const { relaying, other } = await findRelay(product)
    await killAndRestart(other)
    await traffic(queues, TRAFFIC, makers)
    await killAndRestart(relaying)
    await traffic(queues, TRAFFIC, makers)
    await servers.rabbitmq.stop()
    // Writes need no broker: sending goes on, and what was sent arrives when it is back.
    await untilSent(sendings, 10)
    await waitUntilPublished(product)
    await servers.rabbitmq.start()
    await traffic(queues, TRAFFIC, makers)
    await servers.postgres.kill()
    await servers.postgres.start()
    await traffic(queues, TRAFFIC, makers)
    // It ends connections one by one, also those in the middle of something.
    await servers.postgres.stop()
    await servers.postgres.start()
    await traffic(queues, TRAFFIC, makers)

    // Then each change of a reaction was told once, in its turn
    const changes = await reacting.stop()
    await reactions.until(() => reactions.events.length >= changes, 'the last reaction', 60_000)
    expect(reactions.events.map(({ op }) => op)).toEqual(
      Array.from({ length: changes }, (_, index) => (index % 2 === 0 ? 'add' : 'remove')),
    )
    await reactions.stop()

    // And what each listener was told is what the server says was sent
    await Promise.all([...sendings, changing].map((running) => running.stop()))
    // The first tells of the channel's creation, before anyone listened.
    const sent = (await messagesOf(product.owner, CHANNEL)).slice(1)
    expect(sent.length).toBeGreaterThan(6 * TRAFFIC)
    const last = await product.owner.call(endpoints.messaging.sendMessage, {
      type: 'channel',
      to: CHANNEL,
      topic: 'the end',
      content: 'the end',
    })
    for (const [index, queue] of queues.entries()) {
      const arrived = () => queue.events.some((event) => isMessage(event) && messageIdOf(event) === last.id)
      await queue.until(arrived, `the last message at listener ${index}`, 60_000)
      const messages = queue.events.filter(isMessage).map(messageIdOf)
      const gone = new Set(changing.deleted)
      expect(messages.filter((id) => !gone.has(id))).toEqual([...sent.map(({ id }) => id), last.id])
      expect(messages.filter((id) => gone.has(id))).toEqual(changing.deleted)
      expect(queue.events.filter((event) => !isMessage(event)).map(changeOf)).toEqual(changing.changes)
    }
    expect(acceptedMissing(sendings, sent)).toEqual([])
    // A send whose answer was lost was tried again, and is there once.
    const texts = sent.map(({ content }) => content)
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
    await Promise.all(queues.map((queue) => queue.stop()))
  }, 240_000)
})

const isMessage = (event: { type: string }): boolean => event.type === 'message'
const messageIdOf = (event: { [field: string]: unknown }): number => (event['message'] as { id: number }).id

/** Sends that were answered with success but whose message isn't there. */
const acceptedMissing = (sendings: readonly Sending[], sent: readonly { id: number }[]): number[] => {
  const there = new Set(sent.map(({ id }) => id))
  return sendings.flatMap(({ accepted }) => accepted.filter((id) => !there.has(id)))
}

/** Resolves when every sender has had so many more messages accepted. */
const untilSent = async (sendings: readonly Sending[], count: number): Promise<void> => {
  const marks = sendings.map(({ sent }) => sent + count)
  const deadline = Date.now() + 30_000
  while (sendings.some(({ sent }, index) => sent < (marks[index] ?? 0))) {
    if (Date.now() > deadline) throw new Error('sending stopped')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const killAndRestart = async (replica: Replica): Promise<void> => {
  await replica.kill('SIGKILL')
  await replica.start()
}

/** What alerts look at: that events wait, on the replica that relays, and that nobody hears of what others tell. */
const waitUntilPublished = async ({ system }: TestSystem): Promise<void> => {
  const [one, other] = system.urls.messaging
  const most = async (name: string) =>
    Math.max(...(await Promise.all([one, other].map((url) => metricOf(`${url}`, name)))))
  await until(async () => (await most('outbox_lag_seconds')) > 2)
  await until(async () => (await most('projections_stalled_seconds')) > 2)
}

const findRelay = async ({ system }: TestSystem): Promise<{ relaying: Replica; other: Replica }> => {
  const replicas = [system.replica('messaging', 0), system.replica('messaging', 1)] as const
  const first = await metricOf(replicas[0].url, 'outbox_relay_active')
  return first === 1
    ? { relaying: replicas[0], other: replicas[1] }
    : { relaying: replicas[1], other: replicas[0] }
}

import { endpoints } from '@tms/contracts'
import type { Replica } from '@tms/local-system'
import { type ApiClient, registerQueue, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messagesOf, metricOf } from './support/observe.ts'
import { changeOf, startChanging } from './support/start-changing.ts'
import { startReacting } from './support/start-reacting.ts'
import { type MessageSender, startSending } from './support/start-sending.ts'
import { traffic } from './support/traffic.ts'
import { until } from './support/until.ts'
import { sendDirectly } from './support/users-and-channels.ts'

const LISTENERS = 6
const SENDERS = 3
const CHANNEL = 'fault lines'
/** Messages that must arrive between one fault and the next, so that each happens under traffic. */
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

describe('when any process is killed', () => {
  test('every listener receives every message, message change and reaction exactly once and in order', async () => {
    // Given senders and listeners under load
    const users = await Promise.all(Array.from({ length: LISTENERS }, () => product.createUser()))
    await product.owner.call(endpoints.messaging.subscribe, {
      subscriptions: [{ name: CHANNEL }],
      principals: users.map(({ userId }) => userId),
    })
    const [undecided] = users as [ApiClient]
    const doubtful = await sendDirectly(product.owner, [undecided])
    const event_types = ['message', 'update_message', 'delete_message']
    const queues = await Promise.all(users.map((user) => registerQueue(user, { event_types })))
    for (const queue of queues) queue.follow()
    const sendings = users
      .slice(0, SENDERS)
      .map((user, index) => startSending(user, CHANNEL, `sender ${index}`))
    const changing = startChanging(product.owner, CHANNEL)

    const reactions = await registerQueue(product.owner, { event_types: ['reaction'] })
    reactions.follow()
    const reacting = startReacting(undecided, doubtful)

    const makers = [...sendings, changing, reacting]

    // When one process after another is killed and restarted
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
    // Writes need no broker: sending continues, and the messages arrive when it is back.
    await untilSent(sendings, 10)
    await waitUntilPublished(product)
    await servers.rabbitmq.start()
    await traffic(queues, TRAFFIC, makers)
    await servers.postgres.kill()
    await servers.postgres.start()
    await traffic(queues, TRAFFIC, makers)
    // It ends connections one by one, also those in use.
    await servers.postgres.stop()
    await servers.postgres.start()
    await traffic(queues, TRAFFIC, makers)

    // Then each change of a reaction was delivered once, in order
    const changes = await reacting.stop()
    await reactions.until(() => reactions.events.length >= changes, 'the last reaction', 60_000)
    expect(reactions.events.map(({ op }) => op)).toEqual(
      Array.from({ length: changes }, (_, index) => (index % 2 === 0 ? 'add' : 'remove')),
    )
    await reactions.stop()

    // And each listener received exactly the messages of the server
    await Promise.all([...sendings, changing].map((running) => running.stop()))
    // The first one is the notice of the channel's creation, before the listeners.
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
      const deleted = new Set(changing.deleted)
      expect(messages.filter((id) => !deleted.has(id))).toEqual([...sent.map(({ id }) => id), last.id])
      expect(messages.filter((id) => deleted.has(id))).toEqual(changing.deleted)
      expect(queue.events.filter((event) => !isMessage(event)).map(changeOf)).toEqual(changing.changes)
    }
    expect(acceptedMissing(sendings, sent)).toEqual([])
    // A send whose response was lost was repeated, and exists once.
    const texts = sent.map(({ content }) => content)
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
    await Promise.all(queues.map((queue) => queue.stop()))
  }, 240_000)
})

const isMessage = (event: { type: string }): boolean => event.type === 'message'
const messageIdOf = (event: { [field: string]: unknown }): number => (event['message'] as { id: number }).id

/** Successful sends whose message is missing. */
const acceptedMissing = (sendings: readonly MessageSender[], sent: readonly { id: number }[]): number[] => {
  const there = new Set(sent.map(({ id }) => id))
  return sendings.flatMap(({ accepted }) => accepted.filter((id) => !there.has(id)))
}

/** Resolves when every sender has this number of further accepted messages. */
const untilSent = async (sendings: readonly MessageSender[], count: number): Promise<void> => {
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

/** The metrics behind alerts: pending events of the active relay, and stalled projections. */
const waitUntilPublished = async ({ system }: TestSystem): Promise<void> => {
  const [one, other] = system.urls.messaging
  const most = async (name: string) =>
    Math.max(...(await Promise.all([one, other].map((url) => metricOf(`${url}`, name)))))
  await until(async () => (await most('outbox_lag_seconds')) > 2)
  await until(async () => (await most('stream_stalled_seconds')) > 2)
}

const findRelay = async ({ system }: TestSystem): Promise<{ relaying: Replica; other: Replica }> => {
  const replicas = [system.replica('messaging', 0), system.replica('messaging', 1)] as const
  const first = await metricOf(replicas[0].url, 'outbox_relay_active')
  return first === 1
    ? { relaying: replicas[0], other: replicas[1] }
    : { relaying: replicas[1], other: replicas[0] }
}

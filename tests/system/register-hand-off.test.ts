import type { ChannelRecord } from '@tms/contracts'
import { endpoints } from '@tms/contracts'
import { createLog, createPool } from '@tms/service-kit'
import {
  type ApiClient,
  type ClientEvent,
  type EventQueue,
  registerQueue,
  startTestSystem,
  type TestSystem,
} from '@tms/test-kit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ClientModel } from './support/client-model.ts'
import { prepareChange } from './support/open-changes.ts'
import { withPausedRelay } from './support/pause-relay.ts'
import { lockTable } from './support/table-lock.ts'
import { until } from './support/until.ts'
import { newChannel } from './support/users-and-channels.ts'
import { startWorkload } from './support/workload.ts'

const OBSERVERS = 6
const REGISTRATIONS_EACH = 30
/**
 * Requests the whole state in a comparable form: that a setting is inherited, not its inherited value, and the URL of an
 * avatar, not one computed from an address.
 */
const REGISTRATION = {
  client_gravatar: false,
  include_subscribers: true,
  client_capabilities: { notification_settings_null: true, linkifier_url_template: true },
}
/** Every second observer has clients that know empty topics. */
const registrationOf = ({ userId }: ApiClient) => ({
  ...REGISTRATION,
  client_capabilities: { ...REGISTRATION.client_capabilities, empty_topic_name: userId % 2 === 0 },
})

let product: TestSystem
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    replicas: { events: 2, messaging: 2 },
    serviceEnv: { INVITES_PER_DAY: '0', INVITES_PER_DAY_OF_NEW_REALMS: '0' },
  })
}, 180_000)
afterAll(() => product.stop(), 60_000)

interface Registered {
  readonly queue: EventQueue
  readonly showsInactive: boolean
}

describe('POST /register', () => {
  const opened: EventQueue[] = []
  afterEach(() => Promise.all(opened.splice(0).map((queue) => queue.stop())), 60_000)

  test('returns a state that its events complete, while everything changes', async () => {
    // Given a busy organization
    const members = await Promise.all(Array.from({ length: OBSERVERS - 1 }, () => product.createUser()))
    const changingUser = await product.createUser()
    const workload = await startWorkload(product, members, changingUser)
    // The owner sees data that members do not: private channels, and their end. The visible channels of the changing user vary.
    const observers = [...members, product.owner, changingUser]

    // When hundreds of queues are registered amid the changes
    const registered = (await Promise.all(observers.map(registerMany))).flat()
    opened.push(...registered.map(({ queue }) => queue))
    await workload.stop()

    // Then each queue's state plus its events is the final state, with nothing doubled or missing
    const finals = new Map<string, ClientModel>()
    const finalQueues: Registered[] = []
    for (const observer of observers)
      for (const showsInactive of [true, false]) finalQueues.push(await registerOne(observer, showsInactive))
    opened.push(...finalQueues.map(({ queue }) => queue))
    const last = await sendLast(product, observers)
    const modelOf = async ({ queue }: Registered): Promise<ClientModel> => {
      const model = new ClientModel(queue.client.userId, queue.state)
      await queue.until(() => queue.events.some((event) => isMessage(event, last)), 'the last message')
      for (const event of queue.events) if (!isMessage(event, last)) model.apply(event)
      return model
    }
    const kindOf = ({ queue, showsInactive }: Registered) => `${queue.client.userId} ${showsInactive}`
    // Consequences of a change, such as the notice to users who left a group, may arrive after the response.
    for (const one of finalQueues) finals.set(kindOf(one), await modelOf(one))
    for (const one of registered) {
      const model = await modelOf(one)

      expect(model.problems).toEqual([])
      expect(model.comparable()).toEqual(finals.get(kindOf(one))?.comparable())
    }
    expect(registered).toHaveLength((OBSERVERS + 1) * REGISTRATIONS_EACH)
  }, 300_000)

  test.each<['users' | 'realm', string, (value: string) => Promise<unknown>]>([
    ['users', 'realm_user', (full_name) => product.owner.call(endpoints.users.updateSettings, { full_name })],
    ['realm', 'realm', (name) => product.owner.call(endpoints.realm.updateRealm, { name })],
  ])(
    'returns a queue without a state and nothing of what %s changed before it',
    async (service, type, change) => {
      const queue = await withPausedRelay(product, service, async () => {
        await change(`${service} before`)
        return registerQueue(product.owner, { event_types: [type], fetch_event_types: [] })
      })
      await change(`${service} after`)

      const isOf = (when: string) => (event: ClientEvent) =>
        JSON.stringify(event).includes(`${service} ${when}`)
      await queue.waitFor(isOf('after'), 'the change after')

      expect(queue.events.filter(isOf('before'))).toEqual([])
      await queue.stop()
    },
  )
})

/** Loops of messaging read subscriptions too, such as that of missed messages. */
const READS_SUBSCRIPTIONS = 'from subscriptions\\s+where user_id'
/** Points at which a transaction may begin or end while a queue is registered. */
const POINTS = [
  'before',
  'when the state is asked for',
  'when the state is being read',
  'afterwards',
] as const
const SPANS = POINTS.flatMap((_, begun) =>
  POINTS.map((__, ended) => ({ begun, ended })).filter(({ ended }) => begun <= ended),
)

describe('a transaction that starts and ends at any point of a registration', () => {
  test.each([
    ['at once', false],
    ['only afterwards', true],
  ])(
    'is in the state or delivered, never both, if events are published %s',
    async (_, isHeldBack) => {
      const { owner, system } = product
      const open = (service: 'messaging' | 'realm') =>
        createPool(system.databaseUrls[service], SPANS.length + 2, createLog('tests', 'silent'))
      const [messaging, realm] = [open('messaging'), open('realm')]
      const untilPublished = () =>
        until(async () => (await messaging.query('select 1 from outbox')).rowCount === 0)
      const names = await Promise.all(SPANS.map(() => newChannel(owner)))
      const { streams } = await owner.call(endpoints.messaging.listChannels, {})
      const changes = await Promise.all(
        names.map(({ id }) => {
          const before = streams.find(({ stream_id }) => stream_id === id) as unknown as ChannelRecord
          return prepareChange(product, messaging, { before, description: `changed ${id}` })
        }),
      )
      const pass = async (point: number) => {
        for (const [index, { begun }] of SPANS.entries()) if (begun === point) await changes[index]?.begin()
        for (const [index, { ended }] of SPANS.entries()) if (ended === point) await changes[index]?.commit()
      }
      const register = async () => {
        await pass(0)
        if (!isHeldBack) await untilPublished()
        // Messaging is paused, and realm waits: so the replicas of events have noted the log's end, and request the state.
        const replicas = [system.replica('messaging', 0), system.replica('messaging', 1)]
        for (const replica of replicas) await replica.kill('SIGSTOP')
        const realms = await lockTable(realm, 'realms')
        const locks = [realms]
        try {
          const input = { event_types: ['stream'], fetch_event_types: ['stream'] }
          const registering = Promise.all([registerQueue(owner, input), registerQueue(owner, input)])
          await realms.waitForWaiters(2)
          await pass(1)
          // Messaging has taken its snapshot, and reads up to this table.
          const subscriptions = await lockTable(messaging, 'subscriptions')
          locks.push(subscriptions)
          for (const replica of replicas) await replica.kill('SIGCONT')
          await realms.release()
          await subscriptions.waitForWaiters(2, READS_SUBSCRIPTIONS)
          await pass(2)
          if (!isHeldBack) await untilPublished()
          await subscriptions.release()
          const queues = await registering
          await pass(3)
          return queues
        } finally {
          // A failure here must not block the next test.
          for (const replica of replicas) await replica.kill('SIGCONT')
          for (const lock of locks) await lock.release()
        }
      }

      const queues = isHeldBack ? await withPausedRelay(product, 'messaging', register) : await register()
      const last = await newChannel(owner)
      for (const queue of queues) {
        await queue.waitFor((event) => JSON.stringify(event).includes(last.name), 'the last channel')
        for (const [index, { begun, ended }] of SPANS.entries()) {
          const id = names[index]?.id
          const state = (queue.state['streams'] as ChannelRecord[]).find(({ stream_id }) => stream_id === id)
          const delivered = queue.events.filter(
            (event) => event['stream_id'] === id && event['property'] === 'description',
          )
          const isInState = state?.description === `changed ${id}`
          const how = `begun ${POINTS[begun]}, ended ${POINTS[ended]}`
          expect([how, isInState, delivered.length]).toEqual([how, ended <= 1, ended <= 1 ? 0 : 1])
        }
        await queue.stop()
      }
      await Promise.all([messaging.end(), realm.end()])
    },
    120_000,
  )
})

/** Half of them show archived channels and deactivated groups. */
const registerMany = async (observer: ApiClient): Promise<Registered[]> => {
  const registered: Registered[] = []
  for (let i = 0; i < REGISTRATIONS_EACH; i++) registered.push(await registerOne(observer, i % 2 === 0))
  return registered
}
const registerOne = async (observer: ApiClient, showsInactive: boolean): Promise<Registered> => {
  const registration = registrationOf(observer)
  const client_capabilities = {
    ...registration.client_capabilities,
    archived_channels: showsInactive,
    include_deactivated_groups: showsInactive,
  }
  return { showsInactive, queue: await registerQueue(observer, { ...registration, client_capabilities }) }
}

const sendLast = async ({ owner }: TestSystem, observers: readonly ApiClient[]): Promise<number> => {
  const { id } = await owner.call(endpoints.messaging.sendMessage, {
    type: 'direct',
    to: observers.map(({ userId }) => userId),
    content: 'the last one',
  })
  return id
}

const isMessage = (event: { type: string; [field: string]: unknown }, id: number): boolean =>
  event.type === 'message' && (event['message'] as { id: number }).id === id

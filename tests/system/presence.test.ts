import { endpoints, maxPresenceAudience } from '@tms/contracts'
import {
  type ApiClient,
  type ClientEvent,
  registerQueue,
  startTestSystem,
  type TestSystem,
} from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from './support/answers.ts'
import { letPresenceAge } from './support/presence-time.ts'
import { until } from './support/until.ts'
import { newUsers } from './support/users-and-channels.ts'
import { stopWatching, type Watcher, watch } from './support/watch.ts'

const {
  deactivateUser,
  getRealmPresence,
  getUserPresence,
  reactivateUser,
  updatePresence,
  updateSettings,
  updateStatus,
} = endpoints.users
const DAY = 86_400

let product: TestSystem
let ann: ApiClient
let ben: ApiClient
let slim: Watcher
let legacy: Watcher
beforeAll(async () => {
  product = await startTestSystem({ env: process.env, ownServers: ['redis'], replicas: { users: 2 } })
  ;[ann, ben] = await newUsers(product, 2)
  slim = await watch(ben, { event_types: ['presence'], slim_presence: true })
  legacy = await watch(ben, { event_types: ['presence'] })
}, 180_000)
afterAll(async () => {
  await stopWatching([slim, legacy])
  await product.stop()
})

const ping = (client: ApiClient, status: 'active' | 'idle' = 'active') =>
  client.call(updatePresence, { status, slim_presence: true })
const eventsOf = ({ queue }: Watcher, { userId }: ApiClient): ClientEvent[] =>
  queue.events.filter(({ user_id }) => user_id === userId)
/** Presence is not ordered with other events, so none bounds its arrival; that of a new user comes later. */
const waitForPresence = async () => {
  const [newMember] = await newUsers(product, 1)
  await ping(newMember)
  for (const { queue } of [slim, legacy])
    await queue.waitFor(({ user_id }) => user_id === newMember.userId, 'the new user')
}
const statusOf = async (user: ApiClient) =>
  (await ben.call(getUserPresence, { user_id_or_email: String(user.userId) })).presence.aggregated.status

describe('coming online', () => {
  test('is delivered to everyone once, with the e-mail for clients that identify users by it', async () => {
    await Promise.all(Array.from({ length: 5 }, () => ping(ann)))
    await waitForPresence()

    const presence = {
      website: { client: 'website', status: 'active', timestamp: expect.any(Number), pushable: false },
    }
    expect(eventsOf(slim, ann)).toMatchObject([{ presence, server_timestamp: expect.any(Number) }])
    expect(eventsOf(slim, ann)[0]).not.toHaveProperty('email')
    expect(eventsOf(legacy, ann)).toMatchObject([{ presence, email: ann.email }])
  })

  test('is delivered again after some inactivity, not before', async () => {
    await letPresenceAge(product, 100)
    await ping(ann)
    await waitForPresence()
    expect(eventsOf(slim, ann)).toHaveLength(1)

    await letPresenceAge(product, 140)
    await ping(ann, 'idle')
    await waitForPresence()
    expect(eventsOf(slim, ann)).toHaveLength(1)

    await ping(ann)
    await waitForPresence()
    expect(eventsOf(slim, ann)).toHaveLength(2)
  })
})

describe('inactivity', () => {
  test('makes a user idle, then offline, and after two weeks unknown', async () => {
    await ping(ann)
    expect(await statusOf(ann)).toBe('active')
    await letPresenceAge(product, 100)
    await ping(ann, 'idle')
    expect(await statusOf(ann)).toBe('idle')
    await letPresenceAge(product, 201)
    expect(await statusOf(ann)).toBe('offline')

    await letPresenceAge(product, 14 * DAY)
    const asked = { user_id_or_email: String(ann.userId) }
    expect(await ben.send(getUserPresence, asked)).toMatchObject(refusal('BAD_REQUEST'))
    const { presences } = await ping(ben)
    expect(presences).not.toHaveProperty(String(ann.userId))
  })
})

describe('a client that asks for some days', () => {
  test('gets the users who were present in them, and later every change', async () => {
    const { presence_last_update_id: last_update_id = 0 } = await ping(ann)
    await letPresenceAge(product, 20 * DAY)
    await ping(ben)
    const asked = { status: 'active', slim_presence: true } as const
    const usersIn = async (history_limit_days?: number) =>
      Object.keys((await ben.call(updatePresence, { ...asked, history_limit_days })).presences ?? {})
    const usersAtRegister = async (presence_history_limit_days?: number) => {
      const { state } = await registerQueue(ben, {
        fetch_event_types: ['presence'],
        slim_presence: true,
        presence_history_limit_days,
      })
      return Object.keys(state['presences'] as object)
    }

    for (const users of [usersIn, usersAtRegister]) {
      expect(await users()).toEqual([String(ben.userId)])
      expect(await users(21)).toEqual(expect.arrayContaining([ann, ben].map(({ userId }) => String(userId))))
      expect(await users(1)).toEqual([String(ben.userId)])
      expect(await users(0)).toEqual([])
    }
    const earlier = { last_update_id: last_update_id - 20 * DAY * 1_000 - 1, history_limit_days: 1 }
    const { presences } = await ben.call(updatePresence, { ...asked, ...earlier })
    expect(Object.keys(presences ?? {})).toContain(String(ann.userId))
  })
})

describe('the presence of everyone', () => {
  test('is as of each account and each ping, at every replica', async () => {
    const { owner } = product
    const [cat] = await newUsers(product, 1)
    /** Whether each replica shows the user; several calls reach all of them. */
    const isShown = async () => {
      const answers = await Promise.all([0, 1, 2, 3].map(() => ping(ben)))
      const byEmail = await Promise.all([0, 1].map(() => ben.call(getRealmPresence, {})))
      const shown = [
        ...answers.map(({ presences }) => String(cat.userId) in (presences ?? {})),
        ...byEmail.map(({ presences }) => String(cat.account?.email) in presences),
      ]
      expect(new Set(shown).size, shown.join(' ')).toBe(1)
      return shown[0]
    }
    expect(await isShown()).toBe(false)
    await ping(cat)
    expect(await isShown()).toBe(true)
    await owner.call(deactivateUser, { user_id: cat.userId })
    expect(await isShown()).toBe(false)
    await owner.call(reactivateUser, { user_id: cat.userId })
    expect(await isShown()).toBe(true)
    await product.servers.redis.stop()
    await product.servers.redis.start()
    await until(async () => {
      // Each replica connects again by itself.
      const answers = await Promise.all(
        [0, 1, 2, 3].map(() => ben.send(updatePresence, { status: 'active' })),
      )
      return answers.every(({ status }) => status === 200)
    })
    await letPresenceAge(product, 15 * DAY)
    expect(await isShown()).toBe(false)
  })
})

describe('hiding presence', () => {
  test('is delivered to everyone, and so is showing it again', async () => {
    await ping(ann)
    await waitForPresence()
    const before = eventsOf(slim, ann).length

    await ann.call(updateSettings, { presence_enabled: false })
    await ping(ann)
    await ann.call(updateStatus, { away: false })
    await waitForPresence()

    const events = eventsOf(slim, ann).slice(before) as unknown as {
      presence: { website: { status: string; timestamp: number } }
      server_timestamp: number
    }[]
    expect(events.map(({ presence }) => presence.website.status)).toEqual(['idle', 'active'])
    const [hidden] = events
    expect(hidden?.presence.website.timestamp).toBeLessThan((hidden?.server_timestamp ?? 0) - 300)
  })
})

describe('a large organization', () => {
  test('receives no user who comes online, but users who hide their presence', async () => {
    // Hashing a password is slow by design: the last of several at once would wait too long.
    for (let left = maxPresenceAudience; left > 0; left -= 10) {
      await Promise.all(Array.from({ length: Math.min(left, 10) }, () => product.createUser()))
    }
    const [silent, shy] = await newUsers(product, 2)

    await ping(silent)
    await ping(shy)
    await shy.call(updateSettings, { presence_enabled: false })
    await slim.queue.waitFor(({ user_id }) => user_id === shy.userId, 'who no longer shows it')

    expect(eventsOf(slim, silent)).toEqual([])
    expect(eventsOf(slim, shy)).toHaveLength(1)
    expect((await ping(ben)).presences).toHaveProperty(String(silent.userId))
  })
})

describe('without Redis', () => {
  test('nobody has presence, shared state does not change, and everything else continues', async () => {
    const unavailable = refusal('SERVICE_UNAVAILABLE', {}, 503)
    await product.servers.redis.stop()

    expect(await ann.send(updatePresence, { status: 'active' })).toMatchObject(unavailable)
    expect(await ann.send(updateStatus, { status_text: 'still here' })).toMatchObject(success())
    expect(await ann.send(updateSettings, { presence_enabled: false })).toMatchObject(unavailable)

    await product.servers.redis.start()
    await until(async () => (await ann.send(updatePresence, { status: 'active' })).status === 200)
    expect(await ann.send(updateSettings, { presence_enabled: false })).toMatchObject(success())
    expect(await ann.send(updateSettings, { presence_enabled: true })).toMatchObject(success())
  })
})

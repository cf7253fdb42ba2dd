import { endpoints, maxPresenceAudience } from '@tms/contracts'
import { type ApiClient, type ClientEvent, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from './support/answers.ts'
import { newUsers } from './support/people.ts'
import { letPresenceAge } from './support/presence-time.ts'
import { until } from './support/until.ts'
import { stopWatching, type Watcher, watch } from './support/watch.ts'

const { getUserPresence, updatePresence, updateSettings, updateStatus } = endpoints.users
const DAY = 86_400

let product: TestSystem
let ann: ApiClient
let ben: ApiClient
let slim: Watcher
let legacy: Watcher
beforeAll(async () => {
  product = await startTestSystem({ env: process.env, ownServers: true, replicas: { users: 2 } })
  ;[ann, ben] = (await newUsers(product, 2)) as [ApiClient, ApiClient]
  slim = await watch(ben, { event_types: ['presence'], slim_presence: true })
  legacy = await watch(ben, { event_types: ['presence'] })
}, 180_000)
afterAll(async () => {
  await stopWatching([slim, legacy])
  await product.stop()
}, 60_000)

const ping = (client: ApiClient, status: 'active' | 'idle' = 'active') =>
  client.call(updatePresence, { status, slim_presence: true })
const eventsOf = ({ queue }: Watcher, { userId }: ApiClient): ClientEvent[] =>
  queue.events.filter(({ user_id }) => user_id === userId)
/** Presence passes by, so no other event says when it must have come; that of a newcomer comes later. */
const settled = async () => {
  const [newcomer] = (await newUsers(product, 1)) as [ApiClient]
  await ping(newcomer)
  for (const { queue } of [slim, legacy])
    await queue.waitFor(({ user_id }) => user_id === newcomer.userId, 'the newcomer')
}
const statusOf = async (user: ApiClient) =>
  (await ben.call(getUserPresence, { user_id_or_email: String(user.userId) })).presence.aggregated.status

describe('coming online', () => {
  test('is told to everyone once, with the e-mail where the client knows people by it', async () => {
    await Promise.all(Array.from({ length: 5 }, () => ping(ann)))
    await settled()

    const presence = {
      website: { client: 'website', status: 'active', timestamp: expect.any(Number), pushable: false },
    }
    expect(eventsOf(slim, ann)).toMatchObject([{ presence, server_timestamp: expect.any(Number) }])
    expect(eventsOf(slim, ann)[0]).not.toHaveProperty('email')
    expect(eventsOf(legacy, ann)).toMatchObject([{ presence, email: ann.email }])
  })

  test('is told again after not having been active for a while, not before', async () => {
    await letPresenceAge(product, 100)
    await ping(ann)
    await settled()
    expect(eventsOf(slim, ann)).toHaveLength(1)

    await letPresenceAge(product, 140)
    await ping(ann, 'idle')
    await settled()
    expect(eventsOf(slim, ann)).toHaveLength(1)

    await ping(ann)
    await settled()
    expect(eventsOf(slim, ann)).toHaveLength(2)
  })
})

describe('being away', () => {
  test('makes one idle, then offline, and after two weeks unknown', async () => {
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

describe('not showing presence', () => {
  test('is told to everyone, and so is showing it again', async () => {
    await ping(ann)
    await settled()
    const before = eventsOf(slim, ann).length

    await ann.call(updateSettings, { presence_enabled: false })
    await ping(ann)
    await ann.call(updateStatus, { away: false })
    await settled()

    const told = eventsOf(slim, ann).slice(before) as unknown as {
      presence: { website: { status: string; timestamp: number } }
      server_timestamp: number
    }[]
    expect(told.map(({ presence }) => presence.website.status)).toEqual(['idle', 'active'])
    const [hidden] = told
    expect(hidden?.presence.website.timestamp).toBeLessThan((hidden?.server_timestamp ?? 0) - 300)
  })
})

describe('an organization of many', () => {
  test('is told of nobody who comes online, but of who no longer shows it', async () => {
    // A password is slow to hash, as it should be: all at once, the last would wait for too long.
    for (let left = maxPresenceAudience; left > 0; left -= 10) {
      await Promise.all(Array.from({ length: Math.min(left, 10) }, () => product.createUser()))
    }
    const [silent, shy] = (await newUsers(product, 2)) as [ApiClient, ApiClient]

    await ping(silent)
    await ping(shy)
    await shy.call(updateSettings, { presence_enabled: false })
    await slim.queue.waitFor(({ user_id }) => user_id === shy.userId, 'who no longer shows it')

    expect(eventsOf(slim, silent)).toEqual([])
    expect(eventsOf(slim, shy)).toHaveLength(1)
    expect((await ping(ben)).presences).toHaveProperty(String(silent.userId))
  }, 120_000)
})

describe('without Redis', () => {
  test('nobody is seen, nothing changes that others could not know of, and everything else goes on', async () => {
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

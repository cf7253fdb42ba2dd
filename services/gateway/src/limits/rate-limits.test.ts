import { Role } from '@tms/contracts'
import { closeRedis, connectRedis, createLog, masterOf, type Redis } from '@tms/service-kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRateLimits, type RateLimits } from './rate-limits.ts'

const [AWAY, THERE] = ['10.0.0.1:6379', '10.0.0.2:6379']
const SLOTS = 16_384
const WINDOW_MS = 60_000
const log = createLog('test', 'silent')

let redis: Redis
let limits: RateLimits
let redisCalls: number
beforeAll(() => {
  // No Redis is running: the test checks which keys would be used and what is logged.
  redis = connectRedis('redis://127.0.0.1:1?cluster=true', log)
  const slots = Array.from({ length: SLOTS }, (_, slot) => [slot % 2 === 0 ? AWAY : THERE])
  limits = createRateLimits({
    redis,
    namespace: 'test',
    callsPerMinute: 10,
    anonymousCallsPerMinute: 0,
    failuresPerMinute: 0,
    log,
    now: () => 0,
  })
  Object.assign(redis, {
    slots,
    rlflxIncr: async ([key]: [string]) => {
      if (masterOf(redis, key) === THERE) return [1, WINDOW_MS]
      redisCalls++
      throw new Error('Command timed out')
    },
  })
})
afterAll(() => closeRedis(redis))

test('while a Redis master is unavailable, its calls pass and others are counted', async () => {
  redisCalls = 0
  const users = Array.from({ length: 20 }, (_, index) => index + 1)
  const headers = []
  for (const userId of users) {
    const state = await limits.countCall({ userId, realmId: 1, role: Role.member, isBot: false })
    headers.push(state?.headers.includes('x-ratelimit-limit'))
  }

  const isThere = (userId: number) => masterOf(redis, `test:limit:calls:1:${userId}`) === THERE
  expect(headers).toEqual(users.map(isThere))
  expect(new Set(headers)).toEqual(new Set([true, false]))
  // Only the first of them waits.
  expect(redisCalls).toBe(1)
})

test('calls of provisioning count for their organization, like those of one user', async () => {
  const realmId = [1, 2, 3, 4, 5, 6, 7, 8].find(
    (id) => masterOf(redis, `test:limit:calls:${id}:provisioning`) === THERE,
  )
  const state = await limits.countProvisioning(realmId ?? 0)

  expect(state?.headers).toEqual(expect.arrayContaining(['x-ratelimit-limit', '10']))
})

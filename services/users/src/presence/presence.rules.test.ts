import { describe, expect, test } from 'vitest'
import { clientPresenceOf, isRecent, modernPresenceOf, reportedPresenceOf } from './presence.rules.ts'

const lastSeen = (activeAt: number | null, connectedAt: number) => ({ userId: 1, activeAt, connectedAt })

describe('presence', () => {
  test.each([
    ['a user active when last seen', lastSeen(1_000, 1_000), 'active', 1_000],
    ['a user active 70 s before last seen', lastSeen(1_000, 1_070), 'active', 1_000],
    ['a user active earlier', lastSeen(1_000, 1_071), 'idle', 1_071],
    ['a user who was never active', lastSeen(null, 1_000), 'idle', 1_000],
  ])('of %s', (_, times, status, timestamp) => {
    expect(clientPresenceOf(times)).toEqual({ client: 'website', status, timestamp, pushable: false })
  })

  test('of a user who was never active begins when they joined', () => {
    const account = { id: 1, email: 'a@example.com', joinedAt: 500 }

    expect(modernPresenceOf(lastSeen(null, 1_000), account)).toEqual({
      active_timestamp: 500,
      idle_timestamp: 1_000,
    })
    expect(modernPresenceOf(lastSeen(900, 1_000), account)).toEqual({
      active_timestamp: 900,
      idle_timestamp: 1_000,
    })
  })

  test('of a new user who hides it is no newer than the connection', () => {
    const account = { id: 1, email: 'a@example.com', joinedAt: 1_300 }

    expect(modernPresenceOf(lastSeen(null, 1_000), account)).toEqual({
      active_timestamp: 1_000,
      idle_timestamp: 1_000,
    })
  })

  test.each([
    [1_200, 'active'],
    [1_201, 'offline'],
  ])('as reported at %i is %s', (now, status) => {
    expect(reportedPresenceOf(lastSeen(1_000, 1_000), now)).toEqual({
      aggregated: { status, timestamp: 1_000 },
      website: { status: 'active', timestamp: 1_000 },
    })
  })

  test('is recent for two weeks', () => {
    const twoWeeks = 14 * 86_400

    expect(isRecent(lastSeen(null, 0), twoWeeks)).toBe(true)
    expect(isRecent(lastSeen(null, 0), twoWeeks + 1)).toBe(false)
  })
})

import { describe, expect, test } from 'vitest'
import { clientPresenceOf, isKept, modernPresenceOf, reportedPresenceOf } from './presence.rules.ts'

const seen = (activeAt: number | null, connectedAt: number) => ({ userId: 1, activeAt, connectedAt })

describe('presence', () => {
  test.each([
    ['who was active when last seen', seen(1_000, 1_000), 'active', 1_000],
    ['who was active 70 s before they were last seen', seen(1_000, 1_070), 'active', 1_000],
    ['who was active before that', seen(1_000, 1_071), 'idle', 1_071],
    ['who was never active', seen(null, 1_000), 'idle', 1_000],
  ])('of %s', (_, times, status, timestamp) => {
    expect(clientPresenceOf(times)).toEqual({ client: 'website', status, timestamp, pushable: false })
  })

  test('of who was never active begins when they joined', () => {
    const person = { id: 1, email: 'a@example.com', joinedAt: 500 }

    expect(modernPresenceOf(seen(null, 1_000), person)).toEqual({
      active_timestamp: 500,
      idle_timestamp: 1_000,
    })
    expect(modernPresenceOf(seen(900, 1_000), person)).toEqual({
      active_timestamp: 900,
      idle_timestamp: 1_000,
    })
  })

  test('of who has just joined and hides is as old as they seem to be connected', () => {
    const person = { id: 1, email: 'a@example.com', joinedAt: 1_300 }

    expect(modernPresenceOf(seen(null, 1_000), person)).toEqual({
      active_timestamp: 1_000,
      idle_timestamp: 1_000,
    })
  })

  test.each([
    [1_200, 'active'],
    [1_201, 'offline'],
  ])('as reported at %i is %s', (now, status) => {
    expect(reportedPresenceOf(seen(1_000, 1_000), now)).toEqual({
      aggregated: { status, timestamp: 1_000 },
      website: { status: 'active', timestamp: 1_000 },
    })
  })

  test('is told for two weeks', () => {
    const twoWeeks = 14 * 86_400

    expect(isKept(seen(null, 0), twoWeeks)).toBe(true)
    expect(isKept(seen(null, 0), twoWeeks + 1)).toBe(false)
  })
})

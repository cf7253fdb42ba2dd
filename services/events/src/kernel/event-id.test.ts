import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventIdOf, heartbeatIdOf, NO_EVENT, positionOf } from './event-id.ts'

describe('event IDs', () => {
  test('contain the offset and index of their log entry', () => {
    expect(positionOf(eventIdOf(1_234, 3))).toEqual({ offset: 1_234, index: 3 })
  })

  test('of heartbeats are above all earlier IDs and below all later ones', () => {
    const offset = fc.nat(1_000_000)

    fc.assert(
      fc.property(offset, fc.nat(3), fc.nat(2_000), (committed, index, heartbeats) => {
        let last = Math.max(NO_EVENT, eventIdOf(committed, index))
        for (let i = 0; i < heartbeats; i++) {
          const next = heartbeatIdOf(last, committed)
          expect(next).toBeGreaterThan(last)
          last = next
        }
        expect(last).toBeLessThan(eventIdOf(committed + 1, 0))
      }),
      { numRuns: 30 },
    )
  })

  test('repeat the last heartbeat rather than exceed the next event', () => {
    const highest = eventIdOf(8, 0) - 1
    expect(heartbeatIdOf(highest, 7)).toBe(highest)
  })
})

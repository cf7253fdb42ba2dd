import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventIdOf, heartbeatIdOf, NO_EVENT, positionOf } from './event-id.ts'

describe('event IDs', () => {
  test('say which log entry they come from', () => {
    expect(positionOf(eventIdOf(1_234, 3))).toEqual({ offset: 1_234, index: 3 })
  })

  test('of heartbeats lie above all that the client has and below all that can still come', () => {
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

  test('repeat the last heartbeat rather than pass an event to come', () => {
    const highest = eventIdOf(8, 0) - 1
    expect(heartbeatIdOf(highest, 7)).toBe(highest)
  })
})

import { describe, expect, test } from 'vitest'
import { deletionTimeOf } from './deletion-delay.rules.ts'

const now = new Date('2026-03-01T12:00:00Z')

describe('when a deactivated organization is deleted', () => {
  test.each([
    ['never, without a request', undefined, { min: 14, max: null }, null],
    ['never, if that is requested', null, { min: 14, max: null }, null],
    ['after the requested days', 14, { min: 14, max: null }, '2026-03-15T12:00:00.000Z'],
    ['after the maximum, without a request', undefined, { min: 14, max: 30 }, '2026-03-31T12:00:00.000Z'],
    ['after the requested days, up to the maximum', 30, { min: 14, max: 30 }, '2026-03-31T12:00:00.000Z'],
    ['at once, where the minimum is 0', 0, { min: 0, max: null }, '2026-03-01T12:00:00.000Z'],
    ['after a century', 36_500, { min: 14, max: null }, '2126-02-05T12:00:00.000Z'],
  ])('%s', (_, days, delay, time) => {
    expect(deletionTimeOf(days, delay, now)?.toISOString() ?? null).toBe(time)
  })

  test.each([
    ['fewer days than the minimum', 13, { min: 14, max: null }, 'at least 14 days'],
    ['more days than the maximum', 31, { min: 14, max: 30 }, 'after 30 days at the latest'],
    ['never, where there is a maximum', null, { min: 14, max: 30 }, 'after 30 days at the latest'],
    ['days beyond every calendar', 2 ** 53 - 1, { min: 14, max: null }, 'after 36500 days at the latest'],
  ])('is not %s', (_, days, delay, message) => {
    expect(() => deletionTimeOf(days, delay, now)).toThrow(message)
  })
})

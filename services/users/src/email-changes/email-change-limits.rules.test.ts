import { describe, expect, test } from 'vitest'
import { secondsToNextRequest } from './email-change-limits.rules.ts'

const HOUR = 3_600

describe('secondsToNextRequest', () => {
  test.each<[string, number[], number]>([
    ['the first', [], 0],
    ['the second', [10], 0],
    ['the third within an hour', [10, 600], HOUR - 600],
    ['the third, an hour after the first', [10, HOUR], 0],
    ['the fifth of a day', [2, 4, 6, 8].map((h) => h * HOUR), 0],
    ['the sixth of a day', [2, 4, 6, 8, 10].map((h) => h * HOUR), 14 * HOUR],
    ['the sixth of a day and the third of an hour', [60, 120, 3 * HOUR, 4 * HOUR, 5 * HOUR], 19 * HOUR],
  ])('for %s request, after %j', (_, ages, expected) => {
    expect(secondsToNextRequest(ages)).toBe(expected)
  })
})

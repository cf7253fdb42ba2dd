import { describe, expect, test } from 'vitest'
import { secondsToNextMail } from './mail-requests.rules.ts'

const limits = [
  { max: 2, windowSeconds: 3_600 },
  { max: 5, windowSeconds: 86_400 },
]
const now = 1_000_000_000
const minutesAgo = (...minutes: number[]) => minutes.map((one) => now - one * 60_000)

describe('secondsToNextMail', () => {
  test.each([
    ['never', [], 0],
    ['once', minutesAgo(1), 0],
    ['twice within the hour', minutesAgo(50, 10), 600],
    ['twice, one of them longer ago', minutesAgo(61, 10), 0],
    ['five times within the day', minutesAgo(1_430, 1_000, 800, 700, 600), 600],
    ['four times within the day', minutesAgo(1_000, 800, 700, 600), 0],
    ['six times, one of them too long ago', minutesAgo(1_500, 1_430, 1_000, 800, 700, 600), 600],
  ])('after requests: %s', (_, requestedAt, seconds) => {
    expect(secondsToNextMail(requestedAt, limits, now)).toBe(seconds)
  })
})

import { expect, test } from 'vitest'
import { limitHeadersOf } from './limit-headers.rules.ts'

test('the last allowed call passes', () => {
  const counted = { consumedPoints: 200, remainingPoints: 0, msBeforeNext: 1_500 }
  expect(limitHeadersOf(counted, 200, 10_000)).toEqual({
    headers: ['x-ratelimit-limit', '200', 'x-ratelimit-remaining', '0', 'x-ratelimit-reset', '12'],
    retryAfterMs: null,
    limit: 200,
  })
})

test.each([[201], [0]])(
  'a call over the limit is refused until the window ends (counted as %i)',
  (consumedPoints) => {
    const counted = { consumedPoints, remainingPoints: 0, msBeforeNext: 1_500 }
    expect(limitHeadersOf(counted, 200, 10_000).retryAfterMs).toBe(1_500)
  },
)

test('calls that were not counted are not limited', () => {
  expect(limitHeadersOf(null, 200, 0)).toEqual({ headers: [], retryAfterMs: null, limit: 0 })
})

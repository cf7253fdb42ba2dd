import { expect, test } from 'vitest'
import { isLastAttempt, retryDelayMs } from './retry.rules.ts'

test('attempts come at growing intervals', () => {
  expect([1, 2, 3, 8, 9, 1_000].map(retryDelayMs)).toEqual([2_000, 4_000, 8_000, 256_000, 300_000, 300_000])
})

test('a batch is given up after a day', () => {
  let attempts = 1
  let waitedMs = 0
  for (; !isLastAttempt(attempts); attempts++) waitedMs += retryDelayMs(attempts)
  expect(Math.round(waitedMs / 3_600_000)).toBe(24)
})

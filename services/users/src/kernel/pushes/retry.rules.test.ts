import { expect, test } from 'vitest'
import { retryDelayMs } from './retry.rules.ts'
import { retryAfterOf } from './retry-after.ts'

test('attempts wait longer and longer, and as long as the service asks for', () => {
  expect([0, 1, 2, 50].map((failures) => retryDelayMs(failures, null))).toEqual([
    2_000, 4_000, 8_000, 300_000,
  ])
  expect(retryDelayMs(0, 60_000)).toBe(60_000)
  expect(retryDelayMs(5, 1_000)).toBe(64_000)
})

test('a service asks for a wait in seconds or by a date, of an hour at most', () => {
  const now = new Date('2026-01-01T00:00:00Z')
  const ask = (text?: string) => retryAfterOf(text === undefined ? {} : { 'retry-after': text }, now)
  expect(ask('120')).toBe(120_000)
  expect(ask('Thu, 01 Jan 2026 00:01:00 GMT')).toBe(60_000)
  expect(ask('Wed, 31 Dec 2025 23:00:00 GMT')).toBe(0)
  expect(ask('999999')).toBe(3_600_000)
  expect(ask('soon')).toBeNull()
  expect(ask()).toBeNull()
})

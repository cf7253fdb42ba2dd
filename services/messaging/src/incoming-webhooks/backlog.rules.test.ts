import { describe, expect, test } from 'vitest'
import { isNotable, retryDelayMs, writeBacklogNotice } from './backlog.rules.ts'

const backlog = { arrived: 1_000, waiting: 800, ageMs: 10_000, intervalMs: 300 }

describe('a backlog of deliveries', () => {
  test.each([
    ['has lasted for some seconds', {}, true],
    ['has just begun', { ageMs: 9_999 }, false],
    ['was long, and ends', { ageMs: 6_000, waiting: 1 }, true],
    ['was short, and ends', { ageMs: 6_000, waiting: 1, arrived: 19 }, false],
  ])('that %s', (_, change, expected) => {
    expect(isNotable({ ...backlog, ...change })).toBe(expected)
  })

  test('is described with its numbers, and how long it will take', () => {
    const text = writeBacklogNotice({ user_id: 7, full_name: 'Alerts' }, backlog)

    expect(text).toContain('1,000 deliveries have come for your bot @_**Alerts|7**')
    expect(text).toContain('200 times a minute')
    expect(text).toContain('800 still wait, which takes about 4 minutes')
  })

  test('is tried again at growing intervals, up to a minute', () => {
    expect([0, 1, 2, 9].map(retryDelayMs)).toEqual([2_000, 4_000, 8_000, 60_000])
  })
})

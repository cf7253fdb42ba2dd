import { expect, test } from 'vitest'
import { createReleaseLimit, type ReleaseLimit } from './release-limit.ts'

/** Counts how many of very many partitions may be released to a replica in this round. */
const countReleases = (limit: ReleaseLimit, receiver: string): number => {
  let count = 0
  while (limit.mayRelease(receiver)) count++
  return count
}

test('a replica gets an eighth of all partitions, and the next eighth after it confirmed', () => {
  const limit = createReleaseLimit(64, () => 0)
  limit.startRound(2)
  expect(countReleases(limit, 'new')).toBe(8)

  limit.startRound(2)
  expect(countReleases(limit, 'new')).toBe(0)

  limit.confirm('new')
  limit.startRound(2)
  expect(countReleases(limit, 'new')).toBe(8)
})

test('several releasing replicas share a portion, with at least one partition each', () => {
  const limit = createReleaseLimit(64, () => 0)
  limit.startRound(5)
  expect(countReleases(limit, 'new')).toBe(2)
  limit.startRound(40)
  expect(countReleases(limit, 'other')).toBe(1)
})

test('each new replica gets its own portion', () => {
  const limit = createReleaseLimit(16, () => 0)
  limit.startRound(2)
  expect([countReleases(limit, 'one'), countReleases(limit, 'two')]).toEqual([2, 2])

  limit.confirm('two')
  limit.startRound(2)
  expect([countReleases(limit, 'one'), countReleases(limit, 'two')]).toEqual([0, 2])
})

test('a replica that never confirms gets the next portion after the timeout', () => {
  let now = 0
  const limit = createReleaseLimit(16, () => now)
  limit.startRound(2)
  expect(countReleases(limit, 'new')).toBe(2)

  now = 1_499
  limit.startRound(2)
  expect(countReleases(limit, 'new')).toBe(0)
  now = 1_500
  limit.startRound(2)
  expect(countReleases(limit, 'new')).toBe(2)
})

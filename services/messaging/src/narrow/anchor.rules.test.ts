import { describe, expect, test } from 'vitest'
import {
  arrangePage,
  checkPageSize,
  clampPageSize,
  cutPage,
  NEWEST,
  type PageSize,
  pageAround,
  parseAnchor,
} from './anchor.rules.ts'

const size = (numBefore: number, numAfter: number, includeAnchor = true): PageSize => ({
  numBefore,
  numAfter,
  includeAnchor,
})

/** Fetches from a list of IDs as the database would. */
function fetchPage(all: readonly number[], anchor: number, pageSize: PageSize) {
  const { older, newer } = pageAround(anchor, pageSize)
  const within = (from: number, below: number) => all.filter((id) => id >= from && id < below)
  const found = [
    ...(older ? within(older.from, older.below).slice(-older.limit) : []),
    ...(newer ? within(newer.from, newer.below).slice(0, newer.limit) : []),
  ]
  return arrangePage(found, anchor, pageSize)
}

describe('parseAnchor', () => {
  test.each([
    ['7', 7],
    ['-7', 0],
    ['0', 0],
    ['newest', NEWEST],
    ['oldest', 0],
    ['first_unread', 'first_unread'],
    ['99999999999999999999999', NEWEST],
  ])('%s', (text, expected) => {
    expect(parseAnchor(text, undefined)).toBe(expected)
  })

  test('the legacy flag wins over the anchor', () => {
    expect(parseAnchor('7', true)).toBe('first_unread')
    expect(parseAnchor(undefined, true)).toBe('first_unread')
  })

  test.each([undefined, '', 'x', '1.5', '1e3', ' 1'])('refuses %j', (text) => {
    expect(() => parseAnchor(text, false)).toThrow()
  })
})

describe('checkPageSize', () => {
  test('allows up to 5000 in all', () => {
    expect(() => checkPageSize(size(2500, 2500))).not.toThrow()
    expect(() => checkPageSize(size(2500, 2501))).toThrow('Too many')
  })

  test('allows excluding the anchor only at an end', () => {
    expect(() => checkPageSize(size(1, 0, false))).not.toThrow()
    expect(() => checkPageSize(size(0, 1, false))).not.toThrow()
    expect(() => checkPageSize(size(1, 1, false))).toThrow('end of the range')
  })
})

describe('clampPageSize', () => {
  test.each([
    [10, 20, 10, 20],
    [2_500, 2_500, 2_500, 2_500],
    [10_000, 0, 5_000, 0],
    [0, 10_000, 0, 5_000],
    [10_000, 10_000, 2_500, 2_500],
    [10_000, 1_000, 4_000, 1_000],
    [1_000, 10_000, 1_000, 4_000],
  ])('%i before and %i after', (before, after, clampedBefore, clampedAfter) => {
    expect(clampPageSize(size(before, after))).toEqual(size(clampedBefore, clampedAfter))
  })
})

describe('a page', () => {
  const all = [2, 4, 6, 8, 10]

  test.each([
    ['around a message', 6, size(1, 1), [4, 6, 8], { anchor: true, oldest: false, newest: false }],
    [
      'around an ID that no message has',
      5,
      size(1, 1),
      [4, 6],
      { anchor: false, oldest: false, newest: false },
    ],
    ['reaching both ends', 6, size(3, 3), all, { anchor: true, oldest: true, newest: true }],
    ['of exactly all messages', 6, size(2, 2), all, { anchor: true, oldest: false, newest: false }],
    ['of the anchor alone', 6, size(0, 0), [6], { anchor: true, oldest: false, newest: false }],
    ['without the anchor, older', 6, size(1, 0, false), [4], { anchor: false, oldest: false, newest: false }],
    ['without the anchor, newer', 6, size(0, 1, false), [8], { anchor: false, oldest: false, newest: false }],
    ['at the newest end', NEWEST, size(2, 5), [8, 10], { anchor: false, oldest: false, newest: true }],
    ['at the oldest end', 0, size(5, 2), [2, 4], { anchor: false, oldest: true, newest: false }],
    ['of nothing at the newest end', NEWEST, size(0, 0), [], { anchor: false, oldest: false, newest: true }],
  ])('%s', (_name, anchor, pageSize, ids, { anchor: foundAnchor, oldest, newest }) => {
    expect(fetchPage(all, anchor, pageSize)).toEqual({
      ids,
      foundAnchor,
      foundOldest: oldest,
      foundNewest: newest,
    })
  })
})

describe('cutPage', () => {
  const page = fetchPage([1, 2, 3, 4, 5, 6, 7], 4, size(10, 10))
  const cutTo = (maxBytes: number, sizes: Readonly<Record<number, number>> = {}, of = page, anchor = 4) =>
    cutPage(of, anchor, (id) => sizes[id] ?? 10, maxBytes)

  test('doesn’t change a page that is small enough', () => {
    expect(cutTo(70)).toEqual(page)
  })

  test('leaves out the farthest messages on both sides, and says that there are more', () => {
    expect(cutTo(50)).toEqual({
      ids: [2, 3, 4, 5, 6],
      foundAnchor: true,
      foundOldest: false,
      foundNewest: false,
    })
  })

  test('leaves no gap if a smaller message follows one that is too large', () => {
    expect(cutTo(65, { 3: 60 }).ids).toEqual([4, 5, 6, 7])
  })

  test('keeps the nearest message, however large it is', () => {
    expect(cutTo(5).ids).toEqual([4])
    const before = fetchPage([1, 2, 3], NEWEST, size(10, 0))
    expect(cutTo(5, {}, before, NEWEST)).toEqual({
      ...{ ids: [3], foundAnchor: false, foundOldest: false, foundNewest: true },
    })
  })
})

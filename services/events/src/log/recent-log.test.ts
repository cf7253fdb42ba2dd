import { describe, expect, test } from '@jest/globals'
import type { LogRecord } from './entry.ts'
import { RecentLog } from './recent-log.ts'

const record = (offset: number, body = 'x'): LogRecord => ({
  offset,
  entry: null,
  body,
  positions: {},
  cache: new Map(),
})
const filled = (from: number, to: number): RecentLog => {
  const recent = new RecentLog()
  for (let offset = from; offset <= to; offset++) recent.add(record(offset))
  return recent
}

describe('RecentLog', () => {
  test('gives the records between two offsets, both excluded', () => {
    expect(
      filled(5, 20)
        .between(7, 10)
        ?.map(({ offset }) => offset),
    ).toEqual([8, 9])
  })

  test('says when some of them are no longer kept', () => {
    const recent = filled(5, 20)
    expect(recent.between(3, 10)).toBeNull()
    expect(recent.between(4, 6)?.map(({ offset }) => offset)).toEqual([5])
  })

  test('says when some of them have yet to be read again', () => {
    const recent = filled(5, 20)
    expect(recent.between(15, 22)).toBeNull()
    expect(recent.between(18, 21)?.map(({ offset }) => offset)).toEqual([19, 20])
  })

  test('has nothing between neighbours, whatever it keeps', () => {
    expect(new RecentLog().between(41, 42)).toEqual([])
  })

  test('forgets the oldest when it is full, and still finds the rest', () => {
    const recent = filled(0, 50_000)

    expect(recent.get(0)).toBeUndefined()
    expect(recent.get(50_000)?.offset).toBe(50_000)
    expect(recent.get(40_000)?.offset).toBe(40_000)
  })

  test('forgets by size too', () => {
    const recent = new RecentLog()
    const body = 'x'.repeat(1024 ** 2)
    for (let offset = 0; offset < 100; offset++) recent.add(record(offset, body))

    expect(recent.firstOffset).toBe(36)
  })

  test('begins anew at a record that does not follow', () => {
    const recent = filled(5, 20)
    recent.add(record(12))

    expect([recent.firstOffset, recent.lastOffset]).toEqual([12, 12])
  })
})

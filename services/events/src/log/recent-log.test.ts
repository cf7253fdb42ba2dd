import type { LogEntry } from '@tms/contracts'
import { beforeEach, describe, expect, test } from 'vitest'
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
  const recent = new RecentLog(() => true)
  for (let offset = from; offset <= to; offset++) recent.add(record(offset))
  return recent
}

describe('RecentLog', () => {
  test('returns the records between two offsets, both excluded', () => {
    expect(
      filled(5, 20)
        .between(7, 10)
        ?.map(({ offset }) => offset),
    ).toEqual([8, 9])
  })

  test('returns null if some of them are no longer cached', () => {
    const recent = filled(5, 20)
    expect(recent.between(3, 10)).toBeNull()
    expect(recent.between(4, 6)?.map(({ offset }) => offset)).toEqual([5])
  })

  test('returns null if some of them have yet to be read again', () => {
    const recent = filled(5, 20)
    expect(recent.between(15, 22)).toBeNull()
    expect(recent.between(18, 21)?.map(({ offset }) => offset)).toEqual([19, 20])
  })

  test('returns nothing between neighbours, whatever is cached', () => {
    expect(new RecentLog(() => true).between(41, 42)).toEqual([])
  })

  test('drops the oldest records when it is full, and still finds the rest', () => {
    const recent = filled(0, 50_000)

    expect(recent.get(0)).toBeUndefined()
    expect(recent.between(49_999, 50_001)?.map(({ offset }) => offset)).toEqual([50_000])
    expect(recent.between(39_999, 40_001)?.map(({ offset }) => offset)).toEqual([40_000])
  })

  test('drops the oldest records if together they are too large', () => {
    const recent = new RecentLog(() => true)
    const body = 'x'.repeat(1024 ** 2)
    for (let offset = 0; offset < 100; offset++) recent.add(record(offset, body))

    expect(recent.firstOffset).toBe(36)
  })

  describe('compact', () => {
    const clientEvent = (offset: number) => ({ ...record(offset), entry: { event: 'client' } as LogEntry })
    const controlEvent = (offset: number) => ({ ...record(offset), entry: { event: 'control' } as LogEntry })
    let recent: RecentLog
    beforeEach(() => {
      recent = new RecentLog(({ event }) => event === 'client')
      for (const one of [clientEvent(5), controlEvent(6), record(7)]) recent.add(one)
      recent.compact()
      for (const one of [controlEvent(8), clientEvent(9)]) recent.add(one)
    })

    test('keeps records that were added since the call before', () => {
      expect([recent.firstOffset, recent.between(4, 10)?.length]).toEqual([5, 5])
    })

    test('keeps only client events of older records, which no longer form a range', () => {
      recent.compact()

      expect([5, 6, 7, 8, 9].filter((offset) => recent.get(offset) !== undefined)).toEqual([5, 8, 9])
      expect([recent.firstOffset, recent.between(4, 10), recent.between(7, 10)?.length]).toEqual([8, null, 2])
    })

    test('keeps only client events even of the newest records, and accepts the next one', () => {
      recent.compact()
      recent.compact()
      recent.add(clientEvent(10))

      expect([recent.firstOffset, recent.lastOffset, recent.get(9)?.entry?.event]).toEqual([10, 10, 'client'])
    })

    test('drops older client events before the range when it is full', () => {
      recent.compact()
      for (let offset = 10; recent.get(5); offset++) recent.add(clientEvent(offset))

      expect([recent.firstOffset, (recent.lastOffset ?? 0) - 8]).toEqual([8, 19_999])
    })
  })

  test('begins anew at a record that does not follow the last one', () => {
    const recent = filled(5, 20)
    recent.add(record(12))

    expect([recent.firstOffset, recent.lastOffset]).toEqual([12, 12])
  })
})

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
    expect(new RecentLog(() => true).between(41, 42)).toEqual([])
  })

  test('forgets the oldest when it is full, and still finds the rest', () => {
    const recent = filled(0, 50_000)

    expect(recent.get(0)).toBeUndefined()
    expect(recent.between(49_999, 50_001)?.map(({ offset }) => offset)).toEqual([50_000])
    expect(recent.between(39_999, 40_001)?.map(({ offset }) => offset)).toEqual([40_000])
  })

  test('forgets by size too', () => {
    const recent = new RecentLog(() => true)
    const body = 'x'.repeat(1024 ** 2)
    for (let offset = 0; offset < 100; offset++) recent.add(record(offset, body))

    expect(recent.firstOffset).toBe(36)
  })

  describe('of what it has had for a while', () => {
    const told = (offset: number) => ({ ...record(offset), entry: { event: 'told' } as LogEntry })
    const steering = (offset: number) => ({ ...record(offset), entry: { event: 'steering' } as LogEntry })
    let recent: RecentLog
    beforeEach(() => {
      recent = new RecentLog(({ event }) => event === 'told')
      for (const one of [told(5), steering(6), record(7)]) recent.add(one)
      recent.settle()
      for (const one of [steering(8), told(9)]) recent.add(one)
    })

    test('keeps all until it has been there for a whole turn', () => {
      expect([recent.firstOffset, recent.between(4, 10)?.length]).toEqual([5, 5])
    })

    test('keeps what may be told to clients, and no stretch for hand-offs', () => {
      recent.settle()

      expect([5, 6, 7, 8, 9].filter((offset) => recent.get(offset) !== undefined)).toEqual([5, 8, 9])
      expect([recent.firstOffset, recent.between(4, 10), recent.between(7, 10)?.length]).toEqual([8, null, 2])
    })

    test('keeps nothing else even of the newest, and goes on after it', () => {
      recent.settle()
      recent.settle()
      recent.add(told(10))

      expect([recent.firstOffset, recent.lastOffset, recent.get(9)?.entry?.event]).toEqual([10, 10, 'told'])
    })

    test('forgets what is older before the stretch when it is full', () => {
      recent.settle()
      for (let offset = 10; recent.get(5); offset++) recent.add(told(offset))

      expect([recent.firstOffset, (recent.lastOffset ?? 0) - 8]).toEqual([8, 19_999])
    })
  })

  test('begins anew at a record that does not follow', () => {
    const recent = filled(5, 20)
    recent.add(record(12))

    expect([recent.firstOffset, recent.lastOffset]).toEqual([12, 12])
  })
})

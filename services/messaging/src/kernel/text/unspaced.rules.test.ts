import { describe, expect, test } from 'vitest'
import { pairsQuery, takeOutRuns } from './unspaced.rules.ts'

describe('takeOutRuns', () => {
  test.each([
    ['lunch', [], 'lunch'],
    ['日本', ['日本'], ' '],
    ['明日meetingです', ['明日', 'です'], ' meeting '],
    ['回의 2개', ['回의', '개'], '  2 '],
    ['ประชุม late', ['ประชุม'], '  late'],
  ])('%s', (text, runs, rest) => {
    expect(takeOutRuns(text)).toEqual({ runs, rest })
  })
})

describe('pairsQuery', () => {
  test.each([
    ['猫', "'猫':*"],
    ['日本', "'日本'"],
    ['日本語', "'日本' & '本語'"],
    ['ゴゴゴ', "'ゴゴ'"],
    ['𠮷野家', "'𠮷野' & '野家'"],
  ])('%s', (run, expected) => {
    expect(pairsQuery(run)).toBe(expected)
  })

  test('stays short, however long the run is', () => {
    const run = Array.from({ length: 10_000 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('')

    expect(pairsQuery(run).length).toBeLessThan(500)
  })
})

import { describe, expect, test } from '@jest/globals'
import { candidatesToScan } from './search-plan.rules.ts'

describe('candidatesToScan', () => {
  test.each([
    ['a word in every third message', 333_333, 1_000],
    ['a word in one of fifty', 20_000, 10_000],
    ['a word in one of a hundred', 10_000, null],
    ['a rare word', 12, null],
    ['an unknown word', 0, null],
  ])('%s', (_, matches, expected) => {
    expect(candidatesToScan(matches, 1_000_000, 100)).toBe(expected)
  })

  test('never looks at more messages one by one than the index would give', () => {
    for (let matches = 1; matches <= 1_000_000; matches *= 3) {
      expect(candidatesToScan(matches, 1_000_000, 100) ?? 0).toBeLessThan(matches)
    }
  })
})

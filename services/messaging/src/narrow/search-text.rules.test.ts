import { describe, expect, test } from 'vitest'
import { hasTrigram, likePattern, parseSearchText } from './search-text.rules.ts'

describe('parseSearchText', () => {
  test.each([
    ['lunch', { words: 'lunch', runs: [], literals: [] }],
    ['  lunch today ', { words: 'lunch today', runs: [], literals: [] }],
    ['"to be"', { words: '', runs: [], literals: ['to be'] }],
    ['late "x = 1" lunch "50%"', { words: 'late   lunch', runs: [], literals: ['x = 1', '50%'] }],
    ['if a<b>c', { words: 'if a b c', runs: [], literals: [] }],
    ['an open " quote', { words: 'an open " quote', runs: [], literals: [] }],
    ['明日 meetings', { words: 'meetings', runs: ['明日'], literals: [] }],
    ['"明日"', { words: '', runs: [], literals: ['明日'] }],
    ['""', { words: '""', runs: [], literals: [] }],
    ['" "', { words: '', runs: [], literals: [] }],
  ])('%s', (typed, expected) => {
    expect(parseSearchText(typed)).toEqual(expected)
  })

  test.each(['', '  '])('refuses %j', (typed) => {
    expect(() => parseSearchText(typed)).toThrow('blank')
  })

  test('rejects a text longer than any message', () => {
    expect(() => parseSearchText('x'.repeat(10_001))).toThrow('too long')
  })
})

test('likePattern escapes wildcards', () => {
  expect(likePattern('50%_\\')).toBe('%50\\%\\_\\\\%')
})

describe('hasTrigram', () => {
  test.each(['abc', 'xy abc', 'x y z', 'a bc', ' a', 'ab-', 'ab cd', '日本語'])(
    '%j is found by its trigrams',
    (literal) => {
      expect(hasTrigram(literal)).toBe(true)
    },
  )

  test.each(['e', 'ab', '~', '~ ~', 'a ', '日本'])('%j has no trigram', (literal) => {
    expect(hasTrigram(literal)).toBe(false)
  })
})

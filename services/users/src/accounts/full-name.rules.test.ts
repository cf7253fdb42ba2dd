import { describe, expect, test } from 'vitest'
import { checkFullName, foldFullName } from './full-name.rules.ts'

describe('checkFullName', () => {
  test.each(['Al', 'Ilse Bergström', '王小明', "Conan O'Brien", 'a|b', 'R2|D2x', '🦊🐙', 'x'.repeat(100)])(
    'takes %j',
    (name) => {
      expect(checkFullName(name)).toBe(name)
    },
  )

  test('trims', () => {
    expect(checkFullName('  Ilse  ')).toBe('Ilse')
  })

  test.each(['', ' ', 'a', ' a ', 'x'.repeat(101), '🦊'])('refuses %j for its length', (name) => {
    expect(() => checkFullName(name)).toThrow('characters')
  })

  test.each(['a*b', 'a`b', 'a\\b', 'a>b', 'a"b', 'a@b', 'a\nb', 'a\0b', 'a\u200bb', 'a\u202eb'])(
    'refuses the characters of %j',
    (name) => {
      expect(() => checkFullName(name)).toThrow('can not have')
    },
  )

  test('refuses what reads like a mention with an ID', () => {
    expect(() => checkFullName('Ilse|12')).toThrow('vertical bar')
  })
})

describe('foldFullName', () => {
  test.each([
    ['Ann Lee', 'ANN lee'],
    ['Ａｎｎ', 'ann'],
    ['Strauß', 'STRAUSS'],
    ['Ὀδυσσεύς', 'ὈΔΥΣΣΕΎΣ'],
    ['e\u0301', 'É'],
  ])('makes %s and %s the same', (one, other) => {
    expect(foldFullName(one)).toBe(foldFullName(other))
  })

  test('keeps names apart that differ by more', () => {
    expect(foldFullName('Ann')).not.toBe(foldFullName('Anne'))
  })
})

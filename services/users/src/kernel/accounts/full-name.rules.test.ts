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
    'refuses the forbidden character in %j',
    (name) => {
      expect(() => checkFullName(name)).toThrow('cannot have')
    },
  )

  test('refuses a name that looks like a mention with an ID', () => {
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
  ])('folds %s and %s to the same text', (one, other) => {
    expect(foldFullName(one)).toBe(foldFullName(other))
  })

  test('distinguishes different names', () => {
    expect(foldFullName('Ann')).not.toBe(foldFullName('Anne'))
  })
})

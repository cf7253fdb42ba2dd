import { describe, expect, test } from '@jest/globals'
import { checkFullName } from './full-name.rules.ts'

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

import { describe, expect, test } from '@jest/globals'
import { checkFullName, nameKey } from './full-name.rules.ts'

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

describe('two names', () => {
  test.each([
    ['case', 'Ada Lovelace', 'ADA lovelace'],
    ['letters with two lower-case forms', 'ΟΔΟΣ', 'οδος'],
    ['letters that are two in upper case', 'Straße', 'STRASSE'],
    ['how letters are composed', 'Zoe\u0308', 'Zo\u00eb'],
    ['compatibility forms', 'Ａｄａ', 'ada'],
  ])('are the same but for %s', (_, one, other) => {
    expect(nameKey(one)).toBe(nameKey(other))
  })

  test('differ by a letter', () => {
    expect(nameKey('Ada')).not.toBe(nameKey('Adi'))
  })
})

import { limits } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { checkFits, checkKeys } from './bot-storage.rules.ts'

const { maxBotStorageCharacters, maxBotStorageKeyLength, maxBotStorageKeys } = limits

describe('checkFits', () => {
  test('accepts storage at the limits', () => {
    expect(() => checkFits({ keys: maxBotStorageKeys, characters: maxBotStorageCharacters })).not.toThrow()
  })

  test('reports how many characters are too many', () => {
    expect(() => checkFits({ keys: 1, characters: maxBotStorageCharacters + 7 })).toThrow(
      /10000007, 7 too many/,
    )
  })

  test('refuses too many keys', () => {
    expect(() => checkFits({ keys: maxBotStorageKeys + 1, characters: 1 })).toThrow(/100001/)
  })
})

describe('checkKeys', () => {
  test('counts code points', () => {
    expect(() => checkKeys(['', '🦉'.repeat(maxBotStorageKeyLength)])).not.toThrow()
  })

  test('refuses a longer key and quotes its beginning', () => {
    expect(() => checkKeys(['a', `long ${'x'.repeat(maxBotStorageKeyLength)}`])).toThrow(/'long x+…'/)
  })
})

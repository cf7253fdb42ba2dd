import { limits } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { checkFits, checkKeys } from './bot-storage.rules.ts'

const { maxBotStorageCharacters, maxBotStorageKeyLength, maxBotStorageKeys } = limits

describe('what a bot stores', () => {
  test('may be as much as the limits say', () => {
    expect(() => checkFits({ keys: maxBotStorageKeys, characters: maxBotStorageCharacters })).not.toThrow()
  })

  test('is refused with the number of characters that are too many', () => {
    expect(() => checkFits({ keys: 1, characters: maxBotStorageCharacters + 7 })).toThrow(
      /10000007, 7 too many/,
    )
  })

  test('is refused under too many keys', () => {
    expect(() => checkFits({ keys: maxBotStorageKeys + 1, characters: 1 })).toThrow(/100001/)
  })
})

describe('a key', () => {
  test('may have as many characters as the limit says, wherever they are in Unicode', () => {
    expect(() => checkKeys(['', '🦉'.repeat(maxBotStorageKeyLength)])).not.toThrow()
  })

  test('is refused if it is longer, in words that show how it begins', () => {
    expect(() => checkKeys(['a', `long ${'x'.repeat(maxBotStorageKeyLength)}`])).toThrow(/'long x+…'/)
  })
})

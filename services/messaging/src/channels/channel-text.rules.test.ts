import { describe, expect, test } from 'vitest'
import {
  hasForbiddenCharacter,
  parseChannelDescription,
  parseChannelName,
  parseNamedChannel,
} from './channel-text.rules.ts'

describe('parseChannelName', () => {
  test('trims and leaves the case unchanged', () => {
    expect(parseChannelName('  Änderungen ☕ ')).toBe('Änderungen ☕')
  })

  test('counts code points, not UTF-16 units', () => {
    expect(parseChannelName('😀'.repeat(60))).toBe('😀'.repeat(60))
    expect(() => parseChannelName('a'.repeat(61))).toThrow('too long')
  })

  test('refuses what is empty after trimming', () => {
    expect(() => parseChannelName(' \t ')).toThrow("can't be empty")
  })

  test.each(['a\nb', 'a\u0007b', 'a\ud800b', 'a\ufdd0b', 'a\uffffb', 'a\u{1fffe}b'])(
    'refuses the character in %j',
    (name) => {
      expect(() => parseChannelName(name)).toThrow('not allowed')
    },
  )
})

describe('parseNamedChannel', () => {
  const longest = `0a1b2c3!DEACTIVATED:${'a'.repeat(60)}`

  test('accepts the longest name of an archived channel, which no other channel gets', () => {
    expect(parseNamedChannel(` ${longest} `)).toBe(longest)
    expect(() => parseNamedChannel(`${longest}a`)).toThrow('too long')
    expect(() => parseNamedChannel('a'.repeat(61))).toThrow('too long')
    expect(() => parseChannelName('0a1b2c3!DEACTIVATED:a')).toThrow('archived')
  })
})

test('hasForbiddenCharacter accepts a surrogate pair as one character', () => {
  expect(hasForbiddenCharacter('\ud83d\ude00')).toBe(false)
})

describe('parseChannelDescription', () => {
  test('makes one line of it', () => {
    expect(parseChannelDescription('a\r\nb\nc\rd')).toBe('a b c d')
  })

  test('refuses more than 1024 code points', () => {
    expect(parseChannelDescription('😀'.repeat(1024))).toHaveLength(2048)
    expect(() => parseChannelDescription('a'.repeat(1025))).toThrow('too long')
  })
})

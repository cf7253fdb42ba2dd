import { describe, expect, test } from 'vitest'
import { createApiToken, hashApiToken, isApiToken } from './api-token.ts'

describe('API tokens', () => {
  test('are recognizable, random and valid', () => {
    const tokens = Array.from({ length: 200 }, createApiToken)

    for (const token of tokens) expect(token).toMatch(/^tms_[A-Za-z0-9]{49}$/)
    expect(tokens.every(isApiToken)).toBe(true)
    expect(new Set(tokens.map((token) => token.slice(0, 12))).size).toBe(200)
  })

  test('have a checksum that finds every mistyped character', () => {
    const token = createApiToken()
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === 'x' ? 'y' : 'x'
      expect(isApiToken(token.slice(0, at) + other + token.slice(at + 1))).toBe(false)
    }
  })

  test('have the checksum that scanners expect: CRC-32 in base 62', () => {
    expect(isApiToken(`tms_${'a'.repeat(43)}4SHDYg`)).toBe(true)
  })

  test.each([
    '',
    'tms_',
    `tms_${'a'.repeat(49)}`,
    `${createApiToken()}a`,
    ` ${createApiToken()}`,
    `${createApiToken()}\n`,
  ])('are not %j', (text) => {
    expect(isApiToken(text)).toBe(false)
  })

  test('are hashed, each to its own hash', () => {
    const token = createApiToken()

    expect(hashApiToken(token)).toEqual(hashApiToken(token))
    expect(hashApiToken(token)).not.toEqual(hashApiToken(createApiToken()))
    expect(hashApiToken(token)).toHaveLength(32)
  })
})

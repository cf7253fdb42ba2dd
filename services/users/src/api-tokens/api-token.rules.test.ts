import { limits, tokenScopes } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { checkTokenCount, checkTokenName, distinctScopes, isUseDue } from './api-token.rules.ts'

describe('a new token', () => {
  test('has a trimmed name, in characters beyond the basic plane too', () => {
    const longest = '🦉'.repeat(limits.maxApiTokenNameLength)

    expect(checkTokenName(` ${longest}\n`)).toBe(longest)
    expect(() => checkTokenName(`${longest}x`)).toThrow('at most 100 characters')
    expect(() => checkTokenName(' \t')).toThrow('cannot be blank')
  })

  test('has each scope once', () => {
    expect(distinctScopes(tokenScopes, ['send', 'read', 'send'])).toEqual(['read', 'send'])
  })

  test('is refused to an account that has the most', () => {
    expect(() => checkTokenCount(limits.maxApiTokens - 1)).not.toThrow()
    expect(() => checkTokenCount(limits.maxApiTokens)).toThrow('at most 100 API tokens')
  })
})

test('its use is recorded once an hour', () => {
  const now = new Date('2026-01-02T12:00:00Z')

  expect(isUseDue(null, now)).toBe(true)
  expect(isUseDue(new Date('2026-01-02T11:00:01Z'), now)).toBe(false)
  expect(isUseDue(new Date('2026-01-02T11:00:00Z'), now)).toBe(true)
})

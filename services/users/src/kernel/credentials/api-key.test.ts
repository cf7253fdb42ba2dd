import { describe, expect, test } from 'vitest'
import { createApiKey, isApiKey, isSameApiKey } from './api-key.ts'

describe('API keys', () => {
  test('are 32 random letters and digits', () => {
    const keys = Array.from({ length: 200 }, createApiKey)

    expect(keys.every(isApiKey)).toBe(true)
    expect(new Set(keys).size).toBe(200)
  })

  test.each(['', 'a'.repeat(31), 'a'.repeat(33), `${'a'.repeat(31)}-`, `${'a'.repeat(31)}\n`])(
    'are not %j',
    (text) => {
      expect(isApiKey(text)).toBe(false)
    },
  )

  test('compare equal only to themselves', () => {
    const key = createApiKey()

    expect(isSameApiKey(key, key)).toBe(true)
    expect(isSameApiKey(key, createApiKey())).toBe(false)
    expect(isSameApiKey(key, key.slice(1))).toBe(false)
  })
})

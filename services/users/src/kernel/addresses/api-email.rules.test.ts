import { describe, expect, test } from 'vitest'
import { apiEmailOf } from './api-email.rules.ts'

describe('apiEmailOf', () => {
  test.each([
    [1, 'https://chat.example.org', 'ann@example.com'],
    [2, 'https://chat.example.org', 'user7@chat.example.org'],
    [4, 'http://localhost:9991', 'user7@localhost'],
    [3, 'http://[::1]:9991', 'user7@users.invalid'],
  ])('at visibility %i and %s is %s', (emailAddressVisibility, url, expected) => {
    expect(apiEmailOf({ id: 7, deliveryEmail: 'ann@example.com', emailAddressVisibility }, url)).toBe(
      expected,
    )
  })
})

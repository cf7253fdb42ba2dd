import { describe, expect, test } from 'vitest'
import { apiEmailOf, idOfEmail } from './api-email.rules.ts'

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

describe('idOfEmail', () => {
  test.each([
    ['user7@chat.example.org', 7],
    ['user07@chat.example.org', null],
    ['user7@example.org', null],
    ['user7@chat.example.org.evil.example', null],
    ['user99999999999@chat.example.org', null],
    ['ann@chat.example.org', null],
  ])('of %s is %s', (email, id) => {
    expect(idOfEmail(email, 'chat.example.org')).toBe(id)
  })
})

import { describe, expect, test } from 'vitest'
import { addressOfRemoteUser } from './remote-user.rules.ts'

describe('the address of the user that a proxy names', () => {
  test.each([
    ['ada@example.com', undefined, 'ada@example.com'],
    ['ada', 'example.com', 'ada@example.com'],
    ['ada@Example.com', 'example.com', 'ada@Example.com'],
  ])('of %s with %s is %s', (name, domain, address) => {
    expect(addressOfRemoteUser(name, { append_domain: domain })).toBe(address)
  })

  test.each([
    ['a name without a domain', 'ada', undefined],
    ['another domain', 'boss@elsewhere.com', 'example.com'],
    ['two headers in one', 'ada@example.com, boss@example.com', undefined],
    ['two names', 'ada boss', 'example.com'],
    ['nothing', '', 'example.com'],
    ['nothing before the domain', '@example.com', 'example.com'],
    ['a line break', 'ada\r\n', 'example.com'],
  ])('is none for %s', (_, name, domain) => {
    expect(addressOfRemoteUser(name, { append_domain: domain })).toBeNull()
  })
})

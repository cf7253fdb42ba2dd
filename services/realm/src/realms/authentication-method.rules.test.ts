import { describe, expect, test } from 'vitest'
import { disableMethods } from './authentication-method.rules.ts'

describe('disableMethods', () => {
  test.each<[string, Record<string, boolean>, string[], string[]]>([
    ['switches one off', { Email: false, LDAP: true }, [], ['Email']],
    ['switches one on again', { Email: true, LDAP: true }, ['Email'], []],
    ['keeps a method that the request does not name', { Email: true }, ['LDAP'], ['LDAP']],
    ['keeps what the installation no longer offers', { Email: true }, ['SAML'], ['SAML']],
  ])('%s', (_, requested, disabled, expected) => {
    expect(disableMethods(requested, ['Email', 'LDAP'], disabled)).toEqual(expected)
  })

  test.each<[string, Record<string, boolean>, RegExp]>([
    ['none', { Email: false, LDAP: false }, /^At least one authentication method must be enabled/],
    ['a request that switches nothing on', {}, /^At least one authentication method must be enabled/],
    ['a method that the installation does not offer', { Email: true, SAML: false }, /^Invalid .*: SAML\. /],
    ['a method that there is not', { Email: true, Pigeon: true }, /Valid methods are: Email, LDAP$/],
  ])('refuses %s', (_, requested, message) => {
    expect(() => disableMethods(requested, ['Email', 'LDAP'], [])).toThrow(message)
  })
})

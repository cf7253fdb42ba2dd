import { describe, expect, test } from 'vitest'
import { buildOrganizationUrl, formatSubdomain, parseSubdomain } from './organizations.ts'

describe('an organization’s URL', () => {
  const env = { EXTERNAL_HOST: 'chat.example.com:8443', EXTERNAL_SCHEME: 'https' }

  test.each([
    ['sales', 'https://sales.chat.example.com:8443'],
    ['Sales', 'https://sales.chat.example.com:8443'],
    ['.', 'https://chat.example.com:8443'],
  ])('%s: %s', (organizationName, address) => {
    expect(buildOrganizationUrl(env, organizationName)).toBe(address)
  })

  test.each(['127.0.0.1:9991', '[::1]:9991'])('cannot be below the IP address %s', (EXTERNAL_HOST) => {
    expect(() => buildOrganizationUrl({ EXTERNAL_HOST }, 'sales')).toThrow('EXTERNAL_HOST has to be a name')
    expect(buildOrganizationUrl({ EXTERNAL_HOST }, '.')).toBe(`http://${EXTERNAL_HOST}`)
  })
})

test('a dot names the organization without a subdomain', () => {
  expect(parseSubdomain('.')).toBe('')
  expect(formatSubdomain('')).toBe('.')
  expect(formatSubdomain(parseSubdomain('sales'))).toBe('sales')
})

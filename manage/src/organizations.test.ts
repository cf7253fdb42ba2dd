import { describe, expect, test } from 'vitest'
import { addressOf, calledOf, subdomainIn } from './organizations.ts'

describe('an organization’s address', () => {
  const env = { EXTERNAL_HOST: 'chat.example.com:8443', EXTERNAL_SCHEME: 'https' }

  test.each([
    ['sales', 'https://sales.chat.example.com:8443'],
    ['Sales', 'https://sales.chat.example.com:8443'],
    ['.', 'https://chat.example.com:8443'],
  ])('%s: %s', (called, address) => {
    expect(addressOf(env, called)).toBe(address)
  })

  test.each(['127.0.0.1:9991', '[::1]:9991'])('is none below %s', (EXTERNAL_HOST) => {
    expect(() => addressOf({ EXTERNAL_HOST }, 'sales')).toThrow('EXTERNAL_HOST has to be a name')
    expect(addressOf({ EXTERNAL_HOST }, '.')).toBe(`http://${EXTERNAL_HOST}`)
  })
})

test('operators call the organization without a subdomain by a dot', () => {
  expect(subdomainIn('.')).toBe('')
  expect(calledOf('')).toBe('.')
  expect(calledOf(subdomainIn('sales'))).toBe('sales')
})

import { describe, expect, test } from 'vitest'
import { checkNewRealm } from './new-realm.rules.ts'

const valid = { string_id: '', name: 'Acme', url: 'http://localhost:9991' }

describe('checkNewRealm', () => {
  test('accepts the default organization, with an empty subdomain', () => {
    expect(checkNewRealm({ ...valid, name: ' Acme ', url: 'http://localhost:9991/' })).toEqual({
      stringId: '',
      name: 'Acme',
      url: 'http://localhost:9991',
    })
  })

  test('stores a subdomain in lower case', () => {
    expect(checkNewRealm({ ...valid, string_id: 'Sales-2' }).stringId).toBe('sales-2')
  })

  test.each(['-a', 'a-', 'a b', 'a.b', 'ä', 'x'.repeat(41)])('refuses the subdomain %j', (string_id) => {
    expect(() => checkNewRealm({ ...valid, string_id })).toThrow('subdomain')
  })

  test.each(['', '   ', 'x'.repeat(41), 'a\0b'])('refuses the name %j', (name) => {
    expect(() => checkNewRealm({ ...valid, name })).toThrow('name')
  })

  test.each(['', 'localhost', 'ftp://a.b', 'javascript:alert(1)'])('refuses the URL %j', (url) => {
    expect(() => checkNewRealm({ ...valid, url })).toThrow('URL')
  })
})

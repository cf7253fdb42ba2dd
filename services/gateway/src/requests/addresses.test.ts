import { describe, expect, test } from 'vitest'
import { addressList } from './addresses.ts'

describe('a list of addresses', () => {
  test('has addresses and networks of IPv4 and IPv6', () => {
    const list = addressList('10.0.0.0/8, 192.0.2.1,2001:db8::/32')
    expect(list.has('10.9.9.9')).toBe(true)
    expect(list.has('192.0.2.2')).toBe(false)
    expect(list.has('2001:db8::7')).toBe(true)
  })

  test.each(['x', '10.0.0.0/', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.1,', '10.0.0.0/a'])(
    'is not %j',
    (text) => {
      expect(() => addressList(text)).toThrow()
    },
  )
})

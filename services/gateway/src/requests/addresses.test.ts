import { describe, expect, test } from '@jest/globals'
import { addressList, networkOf } from './addresses.ts'

describe('the network of a client', () => {
  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ])('of %j is %j', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})

describe('a list of addresses', () => {
  test('has addresses and networks of both kinds', () => {
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

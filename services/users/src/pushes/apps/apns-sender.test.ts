import { expect, test } from 'vitest'
import { toHex } from './apns-sender.ts'

test('tokens in base64 become hexadecimal, and others stay', () => {
  expect(toHex('a0B1')).toBe('a0B1')
  expect(toHex('+/8Aqg==')).toBe('fbff00aa')
})

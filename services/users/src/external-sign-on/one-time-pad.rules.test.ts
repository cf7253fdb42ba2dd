import { createDecipheriv } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { encryptApiKey, encryptToken, isOneTimePad, mobileAppUrl } from './one-time-pad.rules.ts'

const PAD = '00112233445566778899aabbccddeeff0123456789abcdeffedcba9876543210'
const API_KEY = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF'
const ENCRYPTED = '615311570160013fbff3e182a193df8f50103633bcdd9ad8878683fa35655656'

describe('the URL of the mobile app', () => {
  test('has the encrypted key, the address, the ID and the organization, in that order', () => {
    const account = { apiKey: API_KEY, deliveryEmail: 'ada+chat@example.org', id: 42 }
    expect(mobileAppUrl(account, 'https://chat.example.org', PAD)).toBe(
      `zulip://login?otp_encrypted_api_key=${ENCRYPTED}&email=ada%2Bchat%40example.org&user_id=42&realm=https%3A%2F%2Fchat.example.org`,
    )
  })

  test('encodes every special character of an address, but those that no form encodes', () => {
    const account = { apiKey: API_KEY, deliveryEmail: "a*b!c'd~e_f-g.h@x.org", id: 1 }
    expect(mobileAppUrl(account, 'https://x.org', PAD)).toContain('&email=a%2Ab%21c%27d~e_f-g.h%40x.org&')
  })
})

test('a pad is used in any case, and a key is encrypted in small letters', () => {
  expect(encryptApiKey(API_KEY, PAD.toUpperCase())).toBe(ENCRYPTED)
  expect(encryptApiKey('12ac'.repeat(8), '7be38894'.repeat(8))).toBe('4ad1e9f7'.repeat(8))
})

describe('the token for the desktop app', () => {
  test('is encrypted as the app expects', () => {
    const iv = Buffer.from('000102030405060708090a0b', 'hex')
    expect(encryptToken('0f1e2d3c4b5a69788796a5b4c3d2e1f0', PAD, iv)).toBe(
      '000102030405060708090a0b4935efa9f122506fc9d148d4c3f05d09e646ca66ee1cea6365186609ae1bd16fe3d5df5ab7509c036c2a807fec0cff19',
    )
  })

  test('is read with the key, and begins with other bytes each time', () => {
    const token = 'A'.repeat(32)
    const [one, other] = [encryptToken(token, PAD), encryptToken(token, PAD)]
    expect(one).toMatch(/^[0-9a-f]{120}$/)
    expect(one.slice(0, 24)).not.toBe(other.slice(0, 24))
    const bytes = Buffer.from(one, 'hex')
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(PAD, 'hex'), bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(-16))
    expect(`${decipher.update(bytes.subarray(12, -16), undefined, 'ascii')}${decipher.final('ascii')}`).toBe(
      token,
    )
  })
})

test.each<[string, string]>([
  ['nothing', ''],
  ['one digit less', PAD.slice(1)],
  ['one digit more', `${PAD}0`],
  ['another letter', `g${PAD.slice(1)}`],
  ['digits of another script', `٠${PAD.slice(1)}`],
  ['a line break', `${PAD}\n`],
])('%s is no pad', (_, text) => {
  expect(isOneTimePad(text)).toBe(false)
})

import { createECDH, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkEndpoint, checkKeys } from './web-push-subscription.ts'

const pair = createECDH('prime256v1')
const key = Buffer.from(pair.generateKeys())
const secret = randomBytes(16)

test('an endpoint is a public https URL', () => {
  const check = (url: string, allowsPrivate = false) => checkEndpoint(url, { allowsPrivate })
  expect(check('https://push.example.com/x?y')).toBe('https://push.example.com/x?y')
  for (const url of [
    'http://push.example.com/x',
    'push.example.com',
    'https://localhost/x',
    'https://10.0.0.1/x',
    'https://[::1]/x',
    'https://a:b@push.example.com/x',
  ])
    expect(() => check(url), url).toThrow('endpoint must')
  expect(check('http://localhost:1/x', true)).toBe('http://localhost:1/x')
})

test('keys are of the right length and on the curve', () => {
  const keys = checkKeys(key.toString('base64'), secret.toString('base64url'))
  expect(keys).toEqual({ p256dh: key.toString('base64url'), auth: secret.toString('base64url') })
  const elsewhere = Buffer.from(key)
  elsewhere[64] = (elsewhere[64] ?? 0) ^ 1
  for (const wrong of [elsewhere, key.subarray(1), Buffer.alloc(65)])
    expect(() => checkKeys(wrong.toString('base64url'), secret.toString('base64url'))).toThrow('p256dh')
  expect(() => checkKeys(key.toString('base64url'), 'abc')).toThrow('auth')
})

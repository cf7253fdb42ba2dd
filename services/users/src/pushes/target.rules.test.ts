import { expect, test } from 'vitest'
import { targetOf } from './target.rules.ts'

test.each([
  ['web_push', 'https://push.example.com/a', 'https://push.example.com'],
  ['web_push', 'https://wns2-db5p.notify.windows.com/w/?token=a', 'https://notify.windows.com'],
  ['web_push', 'https://notify.windows.com.example.com/a', 'https://notify.windows.com.example.com'],
  ['fcm', 'token', 'fcm'],
  ['sealed_fcm', 'token', 'fcm'],
  ['sealed_apns', 'token', 'apns'],
  ['relay', 'relay', 'relay'],
  ['sealed_relay_fcm', 'id', 'relay'],
  ['sealed_relay_apns', 'id', 'relay'],
] as const)('a device of %s at %s is reached by %s', (service, token, target) => {
  expect(targetOf({ service, token })).toBe(target)
})

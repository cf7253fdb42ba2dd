import { describe, expect, test } from 'vitest'
import { formatSecret, signatureHeaders } from './signature.rules.ts'

const secret = Buffer.from('a secret of thirty-two bytes....')

describe('the signature of a call', () => {
  const call = { id: 'a-b-c', now: new Date(1_750_000_000_999), body: '{"data":"ä"}', secret }

  test('is that of the example of Standard Webhooks', () => {
    const example = signatureHeaders({
      ...{
        id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        now: new Date(1_614_265_330_999),
        body: '{"test": 2432232314}',
      },
      secret: Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64'),
    })

    expect(example).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  test('is another one for another body, time or secret', () => {
    const signatures = [
      call,
      { ...call, body: '{}' },
      { ...call, now: new Date(0) },
      { ...call, secret: Buffer.from('another') },
    ].map((each) => signatureHeaders(each)['webhook-signature'])

    expect(new Set(signatures).size).toBe(4)
  })
})

test('a secret is shown with its prefix', () => {
  expect(formatSecret(Buffer.from('abc'))).toBe('whsec_YWJj')
})

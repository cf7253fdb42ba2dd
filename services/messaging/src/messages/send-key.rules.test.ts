import { describe, expect, test } from 'vitest'
import { checkSameRequest, sendKeyOf } from './send-key.rules.ts'

const input = { type: 'channel', to: 'general', topic: 't', content: 'hi' } as const

describe('sendKeyOf', () => {
  test('is null without a header, with IDs for local echo as well', () => {
    expect(sendKeyOf(undefined, input)).toBeNull()
    expect(sendKeyOf(undefined, { ...input, queue_id: 'q', local_id: '1' })).toBeNull()
  })

  test.each([
    ['the same header', sendKeyOf('k', input), sendKeyOf('k', input), true],
    [
      'the same header with another message',
      sendKeyOf('k', input),
      sendKeyOf('k', { ...input, content: 'x' }),
      true,
    ],
    ['another header', sendKeyOf('k', input), sendKeyOf('l', input), false],
  ])('%s', (_, one, other, isSame) => {
    expect(one?.key.equals(other?.key ?? Buffer.alloc(0))).toBe(isSame)
  })

  test.each(['', 'x'.repeat(256), 'ümlaut', 'a\nb'])('refuses %j', (header) => {
    expect(() => sendKeyOf(header, input)).toThrow('Idempotency-Key')
  })
})

test('a key that was used for another message is refused', () => {
  const first = sendKeyOf('k', input) as NonNullable<ReturnType<typeof sendKeyOf>>
  const other = sendKeyOf('k', { ...input, topic: 'other' }) as typeof first
  expect(() => checkSameRequest(first, first)).not.toThrow()
  expect(() => checkSameRequest(first, other)).toThrow('another message')
})

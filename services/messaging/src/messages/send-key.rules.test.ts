import { describe, expect, test } from '@jest/globals'
import { checkSameRequest, sendKeyOf } from './send-key.rules.ts'

const input = { type: 'channel', to: 'general', topic: 't', content: 'hi' } as const
const echoed = { ...input, queue_id: 'q', local_id: '1' }

describe('sendKeyOf', () => {
  test('is nothing without a header and without local echo', () => {
    expect(sendKeyOf(undefined, input)).toBeNull()
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
    ['the same queue and local ID', sendKeyOf(undefined, echoed), sendKeyOf(undefined, echoed), true],
    [
      'the same with another message',
      sendKeyOf(undefined, echoed),
      sendKeyOf(undefined, { ...echoed, content: 'x' }),
      false,
    ],
    ['a header that spells an echo', sendKeyOf('q', input), sendKeyOf(undefined, echoed), false],
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

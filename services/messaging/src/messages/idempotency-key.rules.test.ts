import { describe, expect, test } from 'vitest'
import { checkSameRequest, parseIdempotencyKey } from './idempotency-key.rules.ts'

const input = { type: 'channel', to: 'general', topic: 't', content: 'hi' } as const

describe('parseIdempotencyKey', () => {
  test('is null without a header, even with IDs for local echo', () => {
    expect(parseIdempotencyKey(undefined, input)).toBeNull()
    expect(parseIdempotencyKey(undefined, { ...input, queue_id: 'q', local_id: '1' })).toBeNull()
  })

  test.each([
    ['the same header', parseIdempotencyKey('k', input), parseIdempotencyKey('k', input), true],
    [
      'the same header with another message',
      parseIdempotencyKey('k', input),
      parseIdempotencyKey('k', { ...input, content: 'x' }),
      true,
    ],
    ['another header', parseIdempotencyKey('k', input), parseIdempotencyKey('l', input), false],
  ])('%s', (_, one, other, isSame) => {
    expect(one?.key.equals(other?.key ?? Buffer.alloc(0))).toBe(isSame)
  })

  test.each(['', 'x'.repeat(256), 'ümlaut', 'a\nb'])('refuses %j', (header) => {
    expect(() => parseIdempotencyKey(header, input)).toThrow('Idempotency-Key')
  })
})

test('rejects a key that was used for another message', () => {
  const first = parseIdempotencyKey('k', input) as NonNullable<ReturnType<typeof parseIdempotencyKey>>
  const other = parseIdempotencyKey('k', { ...input, topic: 'other' }) as typeof first
  expect(() => checkSameRequest(first, first)).not.toThrow()
  expect(() => checkSameRequest(first, other)).toThrow('another message')
})

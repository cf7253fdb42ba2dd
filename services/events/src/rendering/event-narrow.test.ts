import type { MessageRecord } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { checkEventNarrow, matchesNarrow } from './event-narrow.ts'

const message = {
  type: 'stream',
  stream_id: 7,
  display_recipient: 'General',
  subject: 'Lunch',
  sender_email: 'ada@example.com',
} as MessageRecord
const direct = { ...message, type: 'private', display_recipient: [], subject: '' } as MessageRecord

describe('matchesNarrow', () => {
  test.each([
    [[], message, [], true],
    [[['channel', 'general']], message, [], true],
    [[['stream', 'other']], message, [], false],
    [[['channel_id', '7']], message, [], true],
    [[['channel_id', '70']], message, [], false],
    [[['topic', 'LUNCH']], message, [], true],
    [[['topic', '']], direct, [], false],
    [[['sender', 'Ada@example.com']], direct, [], true],
    [[['is', 'dm']], direct, [], true],
    [[['is', 'private']], message, [], false],
    [[['is', 'mentioned']], message, ['mentioned'], true],
    [[['is', 'alerted']], message, ['has_alert_word'], false],
    [[['is', 'unread']], message, ['read'], false],
    [[['is', 'resolved']], message, [], false],
    [[['is', 'something else']], message, [], true],
    [
      [
        ['channel', 'general'],
        ['topic', 'dinner'],
      ],
      message,
      [],
      false,
    ],
  ] as const)('%j on %o with flags %j: %s', (narrow, subject, flags, expected) => {
    expect(matchesNarrow(narrow, subject, flags)).toBe(expected)
  })
})

describe('checkEventNarrow', () => {
  test('rejects unsupported operators', () => {
    expect(() => checkEventNarrow([['search', 'x']])).toThrow('Operator search not supported.')
    expect(() => checkEventNarrow([['channel_id', '7']])).toThrow('Operator channel_id not supported.')
  })
})

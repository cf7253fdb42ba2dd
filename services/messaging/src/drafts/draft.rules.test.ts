import type { NewDraft } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { normalizeDraft } from './draft.rules.ts'

const now = new Date('2026-11-21T09:00:00.900Z')
const stored = (draft: Partial<NewDraft>) =>
  normalizeDraft({ type: '', to: [], topic: '', content: 'x', ...draft }, { userId: 1, now })

const ids = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

describe('a draft', () => {
  test.each([
    ['to nobody', { type: '', to: [1], topic: 'a' }, { type: '', to: [], topic: '' }],
    ['to users', { type: 'private', to: [2, 1, 2], topic: 'a' }, { type: 'private', to: [2, 1], topic: '' }],
    ['to users who are still to be chosen', { type: 'private' }, { type: 'private', to: [], topic: '' }],
    ['to as many as a message goes to', { type: 'private', to: ids(1, 251) }, { to: ids(1, 251) }],
    ['to a channel', { type: 'stream', to: [7], topic: ' a ' }, { type: 'stream', to: [7], topic: 'a' }],
    ['to the empty topic', { type: 'stream', to: [7], topic: 'general chat' }, { topic: 'general chat' }],
    ['without a topic yet', { type: 'stream', to: [7], topic: ' ' }, { type: 'stream', to: [7], topic: '' }],
    [
      'with too long a topic',
      { type: 'stream', to: [7], topic: 'x'.repeat(70) },
      { topic: `${'x'.repeat(57)}...` },
    ],
    ['with space around its text', { content: '\n\nhello \n' }, { content: 'hello' }],
    ['of some time', { timestamp: 1_595_479_019.44 }, { timestamp: 1_595_479_019 }],
    ['of now', {}, { timestamp: 1_795_251_600 }],
  ] as const)('%s', (_, draft, expected) => {
    expect(stored(draft as Partial<NewDraft>)).toMatchObject(expected)
  })

  test.each([
    ['to more people than a message goes to', { type: 'private', to: ids(2, 252) }],
    ['to no channel', { type: 'stream', to: [] }],
    ['to two channels', { type: 'stream', to: [1, 2] }],
    ['without a text', { content: ' \n' }],
    ['with a topic of two lines', { type: 'stream', to: [1], topic: 'a\nb' }],
  ] as const)('is rejected %s', (_, draft) => {
    expect(() => stored(draft as unknown as Partial<NewDraft>)).toThrow()
  })
})

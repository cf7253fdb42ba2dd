import { describe, expect, test } from 'vitest'
import { parsePageRequest } from './page-request.rules.ts'

describe('a fetch of messages', () => {
  test('asks for those around an anchor, which is included by default', () => {
    expect(parsePageRequest({ anchor: '7', num_before: 1, num_after: 2 })).toEqual({
      anchor: 7,
      size: { numBefore: 1, numAfter: 2, includeAnchor: true },
    })
  })

  test('asks for single ones, each once, in order', () => {
    expect(parsePageRequest({ message_ids: [3, 1, 3] })).toEqual({ messageIds: [1, 3] })
    expect(parsePageRequest({ message_ids: [] })).toEqual({ messageIds: [] })
  })

  test.each([
    ['no number of older ones', { anchor: '7', num_after: 0 }, "Missing 'num_before' argument"],
    ['no number of newer ones', { anchor: '7', num_before: 0 }, "Missing 'num_after' argument"],
    ['no anchor', { num_before: 0, num_after: 0 }, "Missing 'anchor' argument"],
    ['IDs beside an anchor', { message_ids: [1], anchor: '7', num_after: 0 }, 'with anchor, num_after'],
    ['IDs beside an older anchor', { message_ids: [1], use_first_unread_anchor: false }, 'with use_first'],
    ['5,001 IDs', { message_ids: Array.from({ length: 5_001 }, (_, id) => id) }, 'maximum 5000'],
  ])('cannot have %s', (_, input, message) => {
    expect(() => parsePageRequest(input)).toThrow(message)
  })
})

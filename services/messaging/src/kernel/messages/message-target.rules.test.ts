import { endpoints } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { parseChannelReference, parseUserReferences } from './message-target.rules.ts'

/** Decodes the raw text of the field as the shared decoder does. */
function decoded(raw: string) {
  let value: unknown = raw
  try {
    value = JSON.parse(raw)
  } catch {}
  return endpoints.messaging.sendMessage.parameters.to.schema.parse(value)
}

describe('to of a channel message', () => {
  test.each([
    ['7', { id: 7 }],
    ['[7]', { id: 7 }],
    ['general', { name: 'general' }],
    ['"general"', { name: 'general' }],
    ['["general"]', { name: 'general' }],
    ['"7"', { name: '7' }],
    ['R & D, 2', { name: 'R & D, 2' }],
  ])('%s', (raw, expected) => {
    expect(parseChannelReference(decoded(raw))).toEqual(expected)
  })

  test.each(['[]', '[1, 2]', '["a", "b"]', '""', ''])('refuses %j', (raw) => {
    expect(() => parseChannelReference(decoded(raw))).toThrow()
  })
})

describe('to of a direct message', () => {
  test.each([
    ['[9, 10, 9]', { ids: [9, 10] }],
    ['["a@x.org", "b@x.org"]', { emails: ['a@x.org', 'b@x.org'] }],
    ['a@x.org, b@x.org,a@x.org', { emails: ['a@x.org', 'b@x.org'] }],
    ['"a@x.org"', { emails: ['a@x.org'] }],
  ])('%s', (raw, expected) => {
    expect(parseUserReferences(decoded(raw))).toEqual(expected)
  })

  test.each(['9', '[]', '[9, "a@x.org"]', '', ' , ', '[""]', '{"a": 1}', 'null'])('refuses %j', (raw) => {
    expect(() => parseUserReferences(decoded(raw))).toThrow()
  })

  test('is limited to 250 users besides the sender', () => {
    const ids = Array.from({ length: 252 }, (_, id) => id)
    expect(() => parseUserReferences(ids)).toThrow('limit: 250')
    expect(() => parseUserReferences(ids.join(','))).toThrow('limit: 250')
    // The sender may be among them.
    expect(parseUserReferences(ids.slice(1)).ids).toHaveLength(251)
    expect(parseUserReferences(Array<number>(300).fill(9)).ids).toEqual([9])
  })
})

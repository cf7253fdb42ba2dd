import { expect, test } from 'vitest'
import { boundAuditDetails, MAX_AUDIT_DETAILS_LENGTH } from './audit.ts'

const lengthOf = (value: unknown) => JSON.stringify(value).length

test('details of usual length stay as they are', () => {
  const details = { before: null, after: { name: 'x'.repeat(1_000) } }
  expect(boundAuditDetails(details)).toBe(details)
})

test('long details keep what is short, and the beginning of what is long', () => {
  const ids = Array.from({ length: 10_000 }, (_, id) => id)
  const bounded = boundAuditDetails({ op: 'changed', before: [], after: ids })
  expect(bounded).toMatchObject({ op: 'changed', before: [], truncated: ['after'] })
  expect(bounded['after']).toMatch(/^\[0,1,2,.*…$/)
  expect(lengthOf(bounded)).toBeLessThanOrEqual(MAX_AUDIT_DETAILS_LENGTH)
})

test.each([
  ['quotation marks', '"\\'.repeat(20_000)],
  ['characters of two halves', '👍'.repeat(20_000)],
  ['characters that JSON escapes', '\u0001'.repeat(20_000)],
])('the beginning of a text of %s is a text, and is no longer', (_, text) => {
  const bounded = boundAuditDetails({ before: text, after: `${text}x`, other: undefined })
  expect(bounded['truncated']).toEqual(['before', 'after'])
  expect(lengthOf(bounded)).toBeLessThanOrEqual(MAX_AUDIT_DETAILS_LENGTH)
  expect(String(bounded['before']).isWellFormed()).toBe(true)
})

import { expect, test } from 'vitest'
import { caseKey } from './case-key.ts'

test.each([
  ['General', 'general'],
  ['ΣΑΣ', 'σασ'],
  ['ΣΑΣ', 'σας'],
  ['STRASSE', 'straße'],
])('%s and %s are one name', (one, other) => {
  expect(caseKey(one)).toBe(caseKey(other))
})

test('names that differ in more than case are two', () => {
  expect(caseKey('İx')).not.toBe(caseKey('ix'))
})

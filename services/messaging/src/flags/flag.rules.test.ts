import { describe, expect, test } from 'vitest'
import { parseEditableFlag, uniqueIds } from './flag.rules.ts'

describe('parseEditableFlag', () => {
  test.each(['read', 'starred', 'collapsed'])('takes %s', (flag) => {
    expect(parseEditableFlag(flag)).toBe(flag)
  })

  test.each(['mentioned', 'wildcard_mentioned', 'historical', 'has_alert_word', 'force_expand'])(
    'refuses %s, which only the server sets',
    (flag) => {
      expect(() => parseEditableFlag(flag)).toThrow('not editable')
    },
  )

  test.each(['', 'Read', 'nice', 'constructor'])('refuses %j, which does not exist', (flag) => {
    expect(() => parseEditableFlag(flag)).toThrow('Invalid flag')
  })
})

describe('uniqueIds', () => {
  test('takes each ID once, in order', () => {
    expect(uniqueIds([3, 1, 3])).toEqual([1, 3])
  })

  test('refuses more than 10,000', () => {
    expect(() => uniqueIds(Array.from({ length: 10_001 }, (_, id) => id))).toThrow('Too many')
  })
})

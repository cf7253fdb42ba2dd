import { AppError } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { operatorName, parseMessageId, parseNarrow, parseState, parseWord } from './narrow.rules.ts'

function codeOf(work: () => unknown): string | undefined {
  try {
    work()
  } catch (err) {
    return err instanceof AppError ? err.code : String(err)
  }
  return undefined
}

describe('parseNarrow', () => {
  test('reads terms and legacy pairs', () => {
    expect(
      parseNarrow([
        { operator: 'channel', operand: 7 },
        { operator: 'dm', operand: [1, 2], negated: true },
        ['topic', 'lunch'],
      ]),
    ).toEqual([
      { operator: 'channel', operand: 7, isNegated: false },
      { operator: 'dm', operand: [1, 2], isNegated: true },
      { operator: 'topic', operand: 'lunch', isNegated: false },
    ])
  })

  test('is empty when absent', () => {
    expect(parseNarrow(undefined)).toEqual([])
  })

  test.each(['not json', 7, {}, null, [7], ['topic'], [['topic']], [['topic', 7]], [['a', 'b', 'c']]])(
    '%j is no narrow',
    (value) => {
      expect(codeOf(() => parseNarrow(value))).toBe('REQUEST_VARIABLE_INVALID')
    },
  )

  test('rejects too many terms', () => {
    const terms = (count: number) => Array.from({ length: count }, () => ['is', 'unread'])
    expect(parseNarrow(terms(100))).toHaveLength(100)
    expect(codeOf(() => parseNarrow(terms(101)))).toBe('BAD_NARROW')
  })

  test('names the rejected value', () => {
    expect(() => parseNarrow([7])).toThrow(
      expect.objectContaining({ details: { var_name: 'narrow', bad_value: '[7]' } }),
    )
  })

  test.each([
    { operator: 7, operand: 'x' },
    { operand: 'x' },
    { operator: 'topic', operand: 7 },
    { operator: 'topic' },
    { operator: 'is', operand: ['dm'] },
    { operator: 'dm', operand: 7 },
    { operator: 'dm', operand: ['a@x.org'] },
    { operator: 'sender', operand: [7] },
    { operator: 'channel', operand: 1.5 },
    { operator: 'sender', operand: 1e300 },
    { operator: 'dm', operand: [-1e300] },
    { operator: 'topic', operand: 'x', negated: 'yes' },
    { operator: 'constructor', operand: 7 },
    { operator: 'near', operand: 7 },
    { operator: 'has', operand: 7 },
    { operator: 'streams', operand: 7 },
    { operator: 'dm-including', operand: [7] },
    { operator: 'with', operand: [7] },
  ])('%j has a part of the wrong type', (term) => {
    expect(codeOf(() => parseNarrow([term]))).toBe('BAD_REQUEST')
  })
})

describe('operands', () => {
  test('normalizes names of operators', () => {
    const names = ['stream', 'streams', 'pm-with', 'pm_with', 'dm', 'group_pm_with', 'constructor']
    expect(names.map(operatorName)).toEqual([
      'channel',
      'channels',
      'dm',
      'dm',
      'dm',
      'group-pm-with',
      'constructor',
    ])
  })

  test('accepts only known words', () => {
    const term = { operator: 'has', operand: 'link', isNegated: false }
    expect(parseWord(term, ['image', 'link'])).toBe('link')
    expect(codeOf(() => parseWord({ ...term, operand: 'rhythm' }, ['image', 'link']))).toBe('BAD_NARROW')
  })

  test('accepts only digits for id', () => {
    expect(parseMessageId(12)).toBe(12)
    expect(parseMessageId('12')).toBe(12)
    for (const operand of ['-1', '1.0', 'x', '', -1, '99999999999999999999', ' 1']) {
      expect(codeOf(() => parseMessageId(operand))).toBe('BAD_NARROW')
    }
  })

  test('accepts only known states for is', () => {
    expect(parseState('private')).toBe('direct')
    expect(codeOf(() => parseState('tired'))).toBe('BAD_NARROW')
  })
})

import { describe, expect, test } from 'vitest'
import { parseNarrow } from '../narrow/narrow.rules.ts'
import { checkLimitedNarrow } from './limited-narrow.rules.ts'

const limited = expect.objectContaining({ code: 'TOKEN_LIMITED_TO_CHANNELS' })
const check = (...terms: unknown[]) => checkLimitedNarrow(parseNarrow(terms))
const channel = { operator: 'channel', operand: 7 }

describe('a narrow of a token that is limited to channels', () => {
  test('names one channel, by either name of the operator, and may leave out messages of it', () => {
    const others = ['topic', 'sender', 'has', 'search', 'near', 'id', 'is'].map((operator) => [operator, 'x'])

    expect(check(channel, ...others)).toMatchObject({ operand: 7 })
    expect(check(['stream', 'a'], { operator: 'topic', operand: 'x', negated: true })).toMatchObject({
      operand: 'a',
    })
  })

  test.each([
    ['none', []],
    ['everything but one', [{ ...channel, negated: true }]],
    ['two', [channel, { operator: 'stream', operand: 8 }]],
    ['one and everything but another', [channel, { operator: 'channel', operand: 8, negated: true }]],
  ])('is refused if it names %s', (_, terms) => {
    expect(() => check(...terms)).toThrow(limited)
  })

  test.each([
    'with',
    'dm',
    'pm-with',
    'dm-including',
    'group-pm-with',
    'channels',
    'streams',
    'in',
    'Topic',
    'invented',
  ])('is refused with the operator %s', (operator) => {
    expect(() => check(channel, [operator, '1'])).toThrow(limited)
  })
})

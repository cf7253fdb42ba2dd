import { describe, expect, test } from 'vitest'
import { checkSpectatorTerms } from './spectator-narrow.rules.ts'

const term = (operator: string, operand: string | number = 'x', isNegated = false) => ({
  ...{ operator, operand, isNegated },
})
const open = term('channels', 'web-public')

describe('a narrow of spectators', () => {
  test.each([
    ['requires web-public channels', [open]],
    ['calls them streams', [term('streams', 'web-public')]],
    ['names a channel', [term('channel', 7)]],
    [
      'has every allowed term',
      [open, ...['stream', 'topic', 'sender', 'has', 'search', 'near', 'id'].map((name) => term(name))],
    ],
  ])('%s', (_, terms) => {
    expect(() => checkSpectatorTerms(terms)).not.toThrow()
  })

  test.each([
    ['is empty', []],
    ['requires all public channels', [term('channels', 'public')]],
    ['excludes web-public channels', [term('channels', 'web-public', true)]],
    ['names no channel but one to leave out', [term('channel', 7, true)]],
    ['names a topic alone', [term('topic')]],
    ...['is', 'in', 'dm', 'pm-with', 'dm-including', 'group-pm-with', 'with', 'unheard'].map(
      (name): [string, ReturnType<typeof term>[]] => [`has a term of ${name}`, [open, term(name)]],
    ),
  ])('is refused where it %s', (_, terms) => {
    expect(() => checkSpectatorTerms(terms)).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED' }))
  })
})

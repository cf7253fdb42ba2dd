import { Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { checkEmojiName, checkNameIsFree } from './emoji-name.rules.ts'

describe('checkEmojiName', () => {
  test.each([
    [' green tick ', 'green_tick'],
    ['x', 'x'],
    ['-_9', '-_9'],
  ])('stores %j as %j', (requested, name) => {
    expect(checkEmojiName(requested)).toBe(name)
  })

  test.each(['', ' ', 'Tick', 'tick-', 'tick_', 'tické', 'a/b', 'a.b', 'x'.repeat(101)])(
    'refuses %j',
    (requested) => {
      expect(() => checkEmojiName(requested)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
    },
  )
})

describe('checkNameIsFree', () => {
  const taken = [
    { name: 'here', isDeactivated: false },
    { name: 'gone', isDeactivated: true },
  ]
  test.each([
    ['our-logo', Role.member, true],
    ['gone', Role.member, true],
    ['here', Role.owner, false],
    ['heart', Role.administrator, true],
    ['heart', Role.moderator, false],
    ['zulip', Role.owner, true],
    ['zulip', Role.member, false],
  ])('%s, by role %i: %j', (name, role, isFree) => {
    const check = expect(() => checkNameIsFree(name, taken, role))
    if (isFree) check.not.toThrow()
    else check.toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
  })
})

import { describe, expect, test } from 'vitest'
import { checkGroupDescription, checkGroupName, groupNameKey } from './group-name.rules.ts'

const refused = expect.objectContaining({ code: 'BAD_REQUEST' })

describe('checkGroupName', () => {
  test.each([
    [' support ', 'support'],
    ['🦉'.repeat(100), '🦉'.repeat(100)],
    ['a * b', 'a * b'],
    ['roles: all', 'roles: all'],
    ['on-call @night', 'on-call @night'],
  ])('takes %j', (text, name) => expect(checkGroupName(text)).toBe(name))

  test.each([
    '',
    ' \t',
    'x'.repeat(101),
    'a\0b',
    'a\nb',
    '\ud800',
    ' @x',
    'role:x',
    'Role:x',
    'user:x',
    'stream:x',
    'channel:x',
  ])('refuses %j', (text) => expect(() => checkGroupName(text)).toThrow(refused))
})

test('ignores case in the key of a name', () => {
  expect(groupNameKey('ΟΔΟΣ Straße')).toBe(groupNameKey('οδος STRASSE'))
  expect(groupNameKey('a')).not.toBe(groupNameKey('á'))
})

describe('checkGroupDescription', () => {
  test.each(['', 'two\nlines,\ttabs', '🦉'.repeat(1_024)])('takes %j', (text) =>
    expect(checkGroupDescription(text)).toBe(text),
  )

  test.each(['a\0b', '\ud800', '\u001b', 'x'.repeat(1_025)])('refuses %j', (text) =>
    expect(() => checkGroupDescription(text)).toThrow(refused),
  )
})

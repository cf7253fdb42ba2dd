import { describe, expect, test } from 'vitest'
import { fillDn, fillFilter, foldDn, isUserName, narrowFilter, widenFilter } from './directory-names.rules.ts'

describe('a user name in a filter', () => {
  test.each([
    ['ada', '(uid=ada)'],
    ['*', '(uid=\\2a)'],
    ['*)(uid=*', '(uid=\\2a\\29\\28uid=\\2a)'],
    ['a\\b', '(uid=a\\5cb)'],
    ['a\0b', '(uid=a\\00b)'],
    ['$&', '(uid=$&)'],
    ['Zoë', '(uid=Zoë)'],
    ['{name}', '(uid={name})'],
  ])('%j stands for itself', (name, filter) => {
    expect(fillFilter('(uid={name})', name)).toBe(filter)
  })

  test('is put in wherever the filter asks for it', () => {
    expect(fillFilter('(|(uid={name})(mail={name}))', 'ada')).toBe('(|(uid=ada)(mail=ada))')
  })
})

test('a filter is widened to everybody, and narrowed to an address', () => {
  const filter = '(&(objectClass=person)(uid={name}))'

  expect(widenFilter(filter)).toBe('(&(objectClass=person)(uid=*))')
  expect(narrowFilter(filter, 'mail', 'a*@example.com')).toBe(
    '(&(&(objectClass=person)(uid=*))(mail=a\\2a@example.com))',
  )
})

test.each([
  ['ada', 'uid=ada,ou=people'],
  ['ada,ou=admins', 'uid=ada\\2cou\\3dadmins,ou=people'],
  ['a+b"c\\', 'uid=a\\2bb\\22c\\5c,ou=people'],
  ['#1 <x>;', 'uid=\\231\\20\\3cx\\3e\\3b,ou=people'],
])('a user name %j stands for itself in a DN', (name, dn) => {
  expect(fillDn('uid={name},ou=people', name)).toBe(dn)
})

test('DNs that differ in case and spaces are the same', () => {
  expect(foldDn('UID=Ada, OU=People,dc=example')).toBe(foldDn('uid=ada,ou=people, DC = Example'))
})

test.each([
  ['ada', true],
  ['ada@example.com', true],
  ['', false],
  ['a\0b', false],
  ['a\nb', false],
  ['x'.repeat(255), false],
])('%j can be a user name: %j', (name, expected) => {
  expect(isUserName(name)).toBe(expected)
})

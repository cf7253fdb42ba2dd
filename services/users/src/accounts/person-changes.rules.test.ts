import { describe, expect, test } from 'vitest'
import type { Person } from './account.queries.ts'
import { personChangesOf } from './person-changes.rules.ts'

const before = {
  id: 7,
  realmId: 1,
  email: 'ann@example.com',
  deliveryEmail: 'ann@example.com',
  fullName: 'Ann',
  role: 400,
  isActive: true,
  botOwnerId: null,
  avatarSource: 'G',
  avatarVersion: 1,
  avatarFile: null,
  emailAddressVisibility: 1,
} as Person
const kindsOf = (change: Partial<Person>, from: Partial<Person> = {}) =>
  personChangesOf({ ...before, ...from }, { ...before, ...from, ...change }).map(({ kind }) => kind)
const hidden = { email: 'user7@localhost', emailAddressVisibility: 4 }
const uploaded = { avatarSource: 'U', avatarFile: 'abc', avatarVersion: 2 }

describe('personChangesOf', () => {
  test('tells nothing of what others do not see', () => {
    expect(kindsOf({ settings: { enter_sends: true }, timezone: 'UTC', version: 2 })).toEqual([])
  })

  test.each<[string, Partial<Person>, Partial<Person>, string[]]>([
    ['hiding an address from all', hidden, {}, ['delivery_email', 'new_email', 'avatar']],
    [
      'showing it to everyone again',
      { email: 'ann@example.com', emailAddressVisibility: 1 },
      hidden,
      ['delivery_email', 'new_email', 'avatar'],
    ],
    [
      'hiding it from some more',
      { emailAddressVisibility: 3 },
      { ...hidden, emailAddressVisibility: 2 },
      ['delivery_email'],
    ],
    [
      'another address that everyone sees',
      { email: 'a@example.org', deliveryEmail: 'a@example.org' },
      {},
      ['delivery_email', 'avatar', 'new_email'],
    ],
    [
      'another address with an uploaded avatar',
      { email: 'a@example.org', deliveryEmail: 'a@example.org' },
      uploaded,
      ['delivery_email', 'new_email'],
    ],
    [
      'another address that is hidden',
      { deliveryEmail: 'a@example.org' },
      hidden,
      ['delivery_email', 'avatar'],
    ],
    ['an uploaded avatar', uploaded, {}, ['avatar']],
    ['another uploaded avatar', { avatarFile: 'def', avatarVersion: 3 }, uploaded, ['avatar']],
    [
      'no uploaded avatar any more',
      { avatarSource: 'G', avatarFile: null, avatarVersion: 3 },
      uploaded,
      ['avatar'],
    ],
  ])('tells of %s, in this order', (_, change, from, expected) => {
    expect(kindsOf(change, from)).toEqual(expected)
  })

  test('names the files of both sizes of an avatar', () => {
    expect(personChangesOf(before, { ...before, ...uploaded })).toEqual([
      {
        kind: 'avatar',
        avatar_source: 'U',
        avatar_url: '/user_avatars/1/abc.png?version=2',
        avatar_url_medium: '/user_avatars/1/abc-medium.png?version=2',
        avatar_version: 2,
      },
    ])
  })
})

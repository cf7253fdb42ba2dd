import { describe, expect, test } from 'vitest'
import type { Account } from '../accounts/account.queries.ts'
import { userChangesOf } from './user-changes.rules.ts'

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
} as Account
const kindsOf = (change: Partial<Account>, from: Partial<Account> = {}) =>
  userChangesOf({ ...before, ...from }, { ...before, ...from, ...change }).map(({ kind }) => kind)
const hidden = { email: 'user7@localhost', emailAddressVisibility: 4 }
const uploaded = { avatarSource: 'U', avatarFile: 'abc', avatarVersion: 2 }

describe('userChangesOf', () => {
  test('publishes nothing that others cannot see', () => {
    expect(kindsOf({ settings: { enter_sends: true }, timezone: 'UTC', version: 2 })).toEqual([])
  })

  test.each<[string, Partial<Account>, Partial<Account>, string[]]>([
    ['an address hidden from everyone', hidden, {}, ['delivery_email', 'new_email', 'avatar']],
    [
      'an address shown to everyone again',
      { email: 'ann@example.com', emailAddressVisibility: 1 },
      hidden,
      ['delivery_email', 'new_email', 'avatar'],
    ],
    [
      'an address hidden from more users',
      { emailAddressVisibility: 3 },
      { ...hidden, emailAddressVisibility: 2 },
      ['delivery_email'],
    ],
    [
      'a new address that everyone sees',
      { email: 'a@example.org', deliveryEmail: 'a@example.org' },
      {},
      ['delivery_email', 'avatar', 'new_email'],
    ],
    [
      'a new address with an uploaded avatar',
      { email: 'a@example.org', deliveryEmail: 'a@example.org' },
      uploaded,
      ['delivery_email', 'new_email'],
    ],
    ['a new hidden address', { deliveryEmail: 'a@example.org' }, hidden, ['delivery_email', 'avatar']],
    ['an uploaded avatar', uploaded, {}, ['avatar']],
    ['another uploaded avatar', { avatarFile: 'def', avatarVersion: 3 }, uploaded, ['avatar']],
    ['a removed avatar', { avatarSource: 'G', avatarFile: null, avatarVersion: 3 }, uploaded, ['avatar']],
  ])('publishes %s in this order', (_, change, from, expected) => {
    expect(kindsOf(change, from)).toEqual(expected)
  })

  test('contains the URLs of both avatar sizes', () => {
    expect(userChangesOf(before, { ...before, ...uploaded })).toEqual([
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

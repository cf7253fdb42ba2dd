import type { RealmProjection } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { decideOwnChanges } from './own-changes.rules.ts'

const own = {
  role: 400,
  fullName: 'Ann',
  deliveryEmail: 'ann@example.com',
  emailAddressVisibility: 1,
  timezone: '',
  settings: {},
} as Account
const open = {
  name_changes_disabled: false,
  email_changes_disabled: false,
  emails_restricted_to_domains: false,
  email_domains: [] as RealmProjection['email_domains'],
} as RealmProjection
const nothing = { fullName: undefined, email: undefined, choices: {} }

describe('decideOwnChanges', () => {
  test('returns new values', () => {
    const requested = { fullName: ' Ann Lee ', email: ' Ann@example.org ', choices: { enter_sends: true } }

    expect(decideOwnChanges(own, open, requested)).toEqual({
      settings: [{ property: 'enter_sends', value: true }],
      fullName: 'Ann Lee',
      newEmail: 'Ann@example.org',
    })
  })

  test('ignores unchanged values, even if changes are forbidden', () => {
    const closed = { ...open, name_changes_disabled: true, email_changes_disabled: true }
    const requested = {
      fullName: ' Ann ',
      email: 'ann@example.com ',
      choices: { enter_sends: false, email_address_visibility: 1 },
    }

    expect(decideOwnChanges(own, closed, requested)).toEqual({ settings: [], fullName: null, newEmail: null })
  })

  test('treats an address with different case as new', () => {
    const requested = { ...nothing, email: 'Ann@example.com' }

    expect(decideOwnChanges(own, open, requested).newEmail).toBe('Ann@example.com')
  })

  test.each([
    [400, null],
    [300, null],
    [200, 'Ann Lee'],
    [100, 'Ann Lee'],
  ])('where name changes are disabled, role %i requesting one gets %s', (role, fullName) => {
    const closed = { ...open, name_changes_disabled: true }

    expect(decideOwnChanges({ ...own, role }, closed, { ...nothing, fullName: 'Ann Lee' }).fullName).toBe(
      fullName,
    )
  })

  test('where name changes are disabled, ignores an invalid name', () => {
    const closed = { ...open, name_changes_disabled: true }

    expect(decideOwnChanges(own, closed, { ...nothing, fullName: '@' }).fullName).toBeNull()
  })

  test.each([
    [400, false],
    [300, false],
    [200, true],
    [100, true],
  ])('where e-mail changes are disabled, role %i may: %s', (role, may) => {
    const closed = { ...open, email_changes_disabled: true }
    const decide = () => decideOwnChanges({ ...own, role }, closed, { ...nothing, email: 'ann@example.org' })

    if (may) expect(decide().newEmail).toBe('ann@example.org')
    else expect(decide).toThrow('Only administrators')
  })

  test.each([
    ['a name of one letter', { fullName: 'A' }],
    ['a blank name', { fullName: ' ' }],
    ['an invalid address', { email: 'ann' }],
    ['an empty address', { email: '' }],
    ['an unknown time zone', { choices: { timezone: 'Mars/Olympus' } }],
  ])('refuses %s', (_, requested) => {
    expect(() => decideOwnChanges(own, open, { ...nothing, ...requested })).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST' }),
    )
  })

  test('refuses every address if only listed domains are allowed and none is listed', () => {
    const closed = { ...open, emails_restricted_to_domains: true }

    expect(() => decideOwnChanges(own, closed, { ...nothing, email: 'ann@example.org' })).toThrow('domains')
  })
})

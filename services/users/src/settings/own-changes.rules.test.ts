import type { RealmProjection } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import type { Person } from '../accounts/account.queries.ts'
import { decideOwnChanges } from './own-changes.rules.ts'

const own = {
  role: 400,
  fullName: 'Ann',
  deliveryEmail: 'ann@example.com',
  emailAddressVisibility: 1,
  timezone: '',
  settings: {},
} as Person
const open = {
  name_changes_disabled: false,
  email_changes_disabled: false,
  emails_restricted_to_domains: false,
  email_domains: [] as RealmProjection['email_domains'],
} as RealmProjection
const nothing = { fullName: undefined, email: undefined, choices: {} }

describe('decideOwnChanges', () => {
  test('takes what is new', () => {
    const asked = { fullName: ' Ann Lee ', email: ' Ann@example.org ', choices: { enter_sends: true } }

    expect(decideOwnChanges(own, open, asked)).toEqual({
      settings: [{ property: 'enter_sends', value: true }],
      fullName: 'Ann Lee',
      newEmail: 'Ann@example.org',
    })
  })

  test('takes nothing of what is so already, whatever the organization forbids', () => {
    const closed = { ...open, name_changes_disabled: true, email_changes_disabled: true }
    const asked = {
      fullName: ' Ann ',
      email: 'ann@example.com ',
      choices: { enter_sends: false, email_address_visibility: 1 },
    }

    expect(decideOwnChanges(own, closed, asked)).toEqual({ settings: [], fullName: null, newEmail: null })
  })

  test('an address of other letters is another', () => {
    const asked = { ...nothing, email: 'Ann@example.com' }

    expect(decideOwnChanges(own, open, asked).newEmail).toBe('Ann@example.com')
  })

  test.each([
    [400, null],
    [300, null],
    [200, 'Ann Lee'],
    [100, 'Ann Lee'],
  ])('where names are not changed, role %i asking for one gets %s', (role, fullName) => {
    const closed = { ...open, name_changes_disabled: true }

    expect(decideOwnChanges({ ...own, role }, closed, { ...nothing, fullName: 'Ann Lee' }).fullName).toBe(
      fullName,
    )
  })

  test('where names are not changed, not even a bad one is refused', () => {
    const closed = { ...open, name_changes_disabled: true }

    expect(decideOwnChanges(own, closed, { ...nothing, fullName: '@' }).fullName).toBeNull()
  })

  test.each([
    [400, false],
    [300, false],
    [200, true],
    [100, true],
  ])('where addresses are not changed, role %i may: %s', (role, may) => {
    const closed = { ...open, email_changes_disabled: true }
    const decide = () => decideOwnChanges({ ...own, role }, closed, { ...nothing, email: 'ann@example.org' })

    if (may) expect(decide().newEmail).toBe('ann@example.org')
    else expect(decide).toThrow('Only administrators')
  })

  test.each([
    ['a name of one letter', { fullName: 'A' }],
    ['a blank name', { fullName: ' ' }],
    ['what is no address', { email: 'ann' }],
    ['an empty address', { email: '' }],
    ['an unknown time zone', { choices: { timezone: 'Mars/Olympus' } }],
  ])('refuses %s', (_, asked) => {
    expect(() => decideOwnChanges(own, open, { ...nothing, ...asked })).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST' }),
    )
  })

  test('refuses every address where those of domains only are taken, and none is named', () => {
    const closed = { ...open, emails_restricted_to_domains: true }

    expect(() => decideOwnChanges(own, closed, { ...nothing, email: 'ann@example.org' })).toThrow('domains')
  })
})

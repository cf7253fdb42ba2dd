import { describe, expect, test } from 'vitest'
import { applyChanges, changesOf, changesOfDefaults, withoutDefaults } from './setting-changes.rules.ts'

const account = { settings: { enter_sends: true }, timezone: 'Europe/Berlin', emailAddressVisibility: 1 }

describe('changesOf', () => {
  test('leaves out equal values and defaults', () => {
    expect(changesOf(account, { enter_sends: true, dense_mode: true, timezone: 'Europe/Berlin' })).toEqual([])
  })

  test('returns new values, with the language’s English name', () => {
    expect(changesOf(account, { enter_sends: false, default_language: 'pt-br' })).toEqual([
      { property: 'enter_sends', value: false },
      { property: 'default_language', value: 'pt-br', language_name: 'Brazilian Portuguese' },
    ])
  })

  test('uses the current name of a time zone', () => {
    expect(changesOf(account, { timezone: 'US/Pacific' })).toEqual([
      { property: 'timezone', value: 'America/Los_Angeles' },
    ])
  })

  test('refuses everything for one unknown time zone', () => {
    expect(() => changesOf(account, { enter_sends: false, timezone: '' })).toThrow('time zone')
  })
})

describe('applyChanges', () => {
  test('stores only values that differ from the defaults', () => {
    const changes = changesOf(account, { enter_sends: false, color_scheme: 2, timezone: 'UTC' })

    expect(applyChanges(account, changes)).toEqual({
      settings: { color_scheme: 2 },
      timezone: 'UTC',
      emailAddressVisibility: 1,
    })
  })

  test.each([
    [1, 4],
    [4, 1],
  ])('changes the e-mail visibility from %i to %i', (emailAddressVisibility, email_address_visibility) => {
    const before = { ...account, emailAddressVisibility }
    const changes = changesOf(before, { email_address_visibility })

    expect(changes).toEqual([{ property: 'email_address_visibility', value: email_address_visibility }])
    expect(applyChanges(before, changes)).toEqual({
      settings: { enter_sends: true },
      timezone: 'Europe/Berlin',
      emailAddressVisibility: email_address_visibility,
    })
  })
})

describe('defaults of an organization', () => {
  test('change by new values, and are stored where they differ from the server’s', () => {
    const stored = { enter_sends: true, color_scheme: 2 }
    const changes = changesOfDefaults(stored, { enter_sends: false, color_scheme: 2, dense_mode: false })

    expect(changes).toEqual([
      { property: 'enter_sends', value: false },
      { property: 'dense_mode', value: false },
    ])
    expect(withoutDefaults(stored, changes)).toEqual({ color_scheme: 2, dense_mode: false })
  })
})

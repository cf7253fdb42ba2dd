import { type SettingDefinition, userSettings } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { settingsOf } from './user-settings.ts'

describe('userSettings', () => {
  test.each(Object.entries<SettingDefinition>(userSettings))('%s allows its default', (_, definition) => {
    const { allowed } = definition
    if (allowed === undefined) return
    if ('min' in allowed) {
      expect(definition.default).toBeGreaterThanOrEqual(allowed.min)
      expect(definition.default).toBeLessThanOrEqual(allowed.max)
    } else expect(allowed).toContain(definition.default)
  })
})

describe('settingsOf', () => {
  test('prefers own values to defaults', () => {
    const account = { settings: { enter_sends: true }, timezone: 'Europe/Berlin', emailAddressVisibility: 3 }

    expect(settingsOf(account)).toMatchObject({
      enter_sends: true,
      dense_mode: true,
      timezone: 'Europe/Berlin',
      email_address_visibility: 3,
    })
  })
})

import { type SettingDefinition, userSettings } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { emojisetChoices } from '../../settings/setting-choices.ts'
import { legacySettingNames, settingsOf } from './user-settings.ts'

describe('userSettings', () => {
  test.each(Object.entries<SettingDefinition>(userSettings))('%s allows its default', (_, definition) => {
    const { allowed } = definition
    if (allowed === undefined) return
    if ('min' in allowed) {
      expect(definition.default).toBeGreaterThanOrEqual(allowed.min)
      expect(definition.default).toBeLessThanOrEqual(allowed.max)
    } else expect(allowed).toContain(definition.default)
  })

  test('offers the emoji sets that it allows', () => {
    expect(emojisetChoices.map(({ key }) => key)).toEqual(userSettings.emojiset.allowed)
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

describe('legacySettingNames', () => {
  test('lists the settings that older clients know, each under one type', () => {
    expect(legacySettingNames('update_display_settings')).toHaveLength(15)
    expect(legacySettingNames('update_global_notifications')).toHaveLength(20)
    expect(legacySettingNames('update_display_settings')).toContain('timezone')
  })
})

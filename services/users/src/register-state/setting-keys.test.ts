import { userSettings } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { emojisetChoices } from './setting-choices.ts'
import { legacySettingNames } from './setting-keys.ts'

test('the emoji sets that clients offer are those that the setting allows', () => {
  expect(emojisetChoices.map(({ key }) => key)).toEqual(userSettings.emojiset.allowed)
})

describe('legacySettingNames', () => {
  test('lists the settings that older clients know, each under one type', () => {
    expect(legacySettingNames('update_display_settings')).toHaveLength(15)
    expect(legacySettingNames('update_global_notifications')).toHaveLength(20)
    expect(legacySettingNames('update_display_settings')).toContain('timezone')
  })
})

import {
  type LegacyType,
  legacyTypeOf,
  type RegisterStateBody,
  settingDefinitions,
  wants,
} from '@tms/contracts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import type { SettingDefaults } from '../kernel/settings/setting-defaults.queries.ts'
import { defaultSettings, settingsOf } from '../kernel/settings/user-settings.ts'
import { settingChoices } from './setting-choices.ts'

/** Keys of the fetch types about settings. */
export function settingKeys(
  body: RegisterStateBody,
  own: Account,
  settingDefaults: SettingDefaults,
): Record<string, unknown> {
  const state: Record<string, unknown> = {}
  const settings = settingsOf(own)
  if (wants(body, 'user_settings')) state['user_settings'] = { ...settings, ...settingChoices }
  if (!body.client_capabilities.user_settings_object)
    Object.assign(
      state,
      legacySettings(settings, (fetchType) => wants(body, fetchType)),
    )
  if (wants(body, 'realm_user_settings_defaults'))
    state['realm_user_settings_defaults'] = { ...defaultSettings(), ...settingDefaults, ...settingChoices }
  return state
}

/** Flat copies of settings, for clients without support for the settings object. */
function legacySettings(
  settings: Record<string, unknown>,
  isWanted: (fetchType: string) => boolean,
): Record<string, unknown> {
  const state: Record<string, unknown> = {}
  for (const legacyType of ['update_display_settings', 'update_global_notifications'] as const) {
    if (!isWanted(legacyType)) continue
    for (const name of legacySettingNames(legacyType)) state[name] = settings[name]
  }
  if (isWanted('update_display_settings')) state['emojiset_choices'] = settingChoices.emojiset_choices
  if (isWanted('update_global_notifications'))
    state['available_notification_sounds'] = settingChoices.available_notification_sounds
  return state
}

/** Names of the settings of a legacy type. */
export function legacySettingNames(legacyType: LegacyType): string[] {
  return [...settingDefinitions.map(([name]) => name), 'timezone'].filter(
    (name) => legacyTypeOf(name) === legacyType,
  )
}

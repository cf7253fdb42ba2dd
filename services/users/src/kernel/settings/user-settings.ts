import { type SettingName, type SettingValue, settingDefinitions } from '@tms/contracts'

/** Settings of a new account. */
export function defaultSettings(): Record<SettingName, SettingValue> {
  return Object.fromEntries(
    settingDefinitions.map(([name, definition]) => [name, definition.default]),
  ) as Record<SettingName, SettingValue>
}

/** An account's settings: own values over the defaults, and those in columns. */
export function settingsOf(account: {
  settings: unknown
  timezone: string
  emailAddressVisibility: number
}): Record<string, unknown> {
  return {
    ...defaultSettings(),
    ...(account.settings as Record<string, unknown>),
    email_address_visibility: account.emailAddressVisibility,
    timezone: account.timezone,
  }
}

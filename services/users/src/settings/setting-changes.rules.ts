import type { SettingChange, SettingValue } from '@tms/contracts'
import { canonicalTimeZone } from './time-zone.rules.ts'
import { defaultSettings, settingsOf } from './user-settings.ts'

type Account = Parameters<typeof settingsOf>[0]
type Choices = Readonly<Record<string, SettingValue | undefined>>

const englishNames = new Intl.DisplayNames(['en'], { type: 'language' })

/** Which of the chosen values are news. Throws BAD_REQUEST for an unknown time zone. */
export function changesOf(account: Account, choices: Choices): SettingChange[] {
  const present = settingsOf(account)
  const changes: SettingChange[] = []
  for (const [property, chosen] of Object.entries(choices)) {
    if (chosen === undefined) continue
    const value = property === 'timezone' ? canonicalTimeZone(String(chosen)) : chosen
    if (value !== present[property]) changes.push(changeTo(property, value))
  }
  return changes
}

function changeTo(property: string, value: SettingValue): SettingChange {
  if (property !== 'default_language') return { property, value }
  return { property, value, language_name: englishNames.of(String(value)) ?? String(value) }
}

/** The account's columns after these changes. Values that are defaults aren't kept. */
export function applyChanges(
  account: Account,
  changes: readonly SettingChange[],
): { settings: Record<string, SettingValue>; timezone: string } {
  const settings = { ...(account.settings as Record<string, SettingValue>) }
  const defaults: Choices = defaultSettings()
  let { timezone } = account
  for (const { property, value } of changes) {
    if (property === 'timezone') timezone = String(value)
    else if (value === defaults[property]) delete settings[property]
    else settings[property] = value
  }
  return { settings, timezone }
}

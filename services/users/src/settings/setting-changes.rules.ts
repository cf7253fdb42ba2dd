import type { SettingChange, SettingValue } from '@tms/contracts'
import { defaultSettings, settingsOf } from '../kernel/settings/user-settings.ts'
import { canonicalTimeZone } from './time-zone.rules.ts'

type AccountWithSettings = Parameters<typeof settingsOf>[0]
type Choices = Readonly<Record<string, SettingValue | undefined>>

const englishNames = new Intl.DisplayNames(['en'], { type: 'language' })

/** The values that differ from the current ones. Throws BAD_REQUEST for an unknown time zone. */
export function changesOf(account: AccountWithSettings, choices: Choices): SettingChange[] {
  const { timezone } = choices
  return changesBetween(settingsOf(account), {
    ...choices,
    ...(timezone !== undefined && { timezone: canonicalTimeZone(String(timezone)) }),
  })
}

/** The same for defaults of new accounts. */
export function changesOfDefaults(stored: Choices, choices: Choices): SettingChange[] {
  return changesBetween({ ...defaultSettings(), ...stored }, choices)
}

function changesBetween(present: Readonly<Record<string, unknown>>, choices: Choices): SettingChange[] {
  return Object.entries(choices).flatMap(([property, value]) =>
    value === undefined || value === present[property] ? [] : [changeTo(property, value)],
  )
}

function changeTo(property: string, value: SettingValue): SettingChange {
  if (property !== 'default_language') return { property, value }
  return { property, value, language_name: englishNames.of(String(value)) ?? String(value) }
}

/** The account's columns after these changes. Default values aren't stored. */
export function applyChanges(
  account: AccountWithSettings,
  changes: readonly SettingChange[],
): { settings: Record<string, SettingValue>; timezone: string; emailAddressVisibility: number } {
  const inColumns = ['timezone', 'email_address_visibility']
  const inSettings = changes.filter(({ property }) => !inColumns.includes(property))
  const valueOf = (name: string) => changes.find(({ property }) => property === name)?.value
  return {
    settings: withoutDefaults(account.settings as Record<string, SettingValue>, inSettings),
    timezone: String(valueOf('timezone') ?? account.timezone),
    emailAddressVisibility: Number(valueOf('email_address_visibility') ?? account.emailAddressVisibility),
  }
}

/** Stored values after these changes, without the server's defaults. */
export function withoutDefaults(
  stored: Readonly<Record<string, SettingValue>>,
  changes: readonly SettingChange[],
): Record<string, SettingValue> {
  const defaults: Choices = defaultSettings()
  const changed = {
    ...stored,
    ...Object.fromEntries(changes.map(({ property, value }) => [property, value])),
  }
  return Object.fromEntries(Object.entries(changed).filter(([name, value]) => value !== defaults[name]))
}

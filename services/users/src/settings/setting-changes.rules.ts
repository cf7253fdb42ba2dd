import type { SettingChange, SettingValue } from '@tms/contracts'
import { canonicalTimeZone } from './time-zone.rules.ts'
import { defaultSettings, settingsOf } from './user-settings.ts'

type Account = Parameters<typeof settingsOf>[0]
type Choices = Readonly<Record<string, SettingValue | undefined>>

const englishNames = new Intl.DisplayNames(['en'], { type: 'language' })

/** Which of the chosen values are news. Throws BAD_REQUEST for an unknown time zone. */
export function changesOf(account: Account, choices: Choices): SettingChange[] {
  const { timezone } = choices
  return changesBetween(settingsOf(account), {
    ...choices,
    ...(timezone !== undefined && { timezone: canonicalTimeZone(String(timezone)) }),
  })
}

/** The same of what new accounts begin with. */
export function changesOfDefaults(kept: Choices, choices: Choices): SettingChange[] {
  return changesBetween({ ...defaultSettings(), ...kept }, choices)
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

/** The account's columns after these changes. Values that are defaults aren't kept. */
export function applyChanges(
  account: Account,
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

/** Kept values after these changes, without those that are the server's defaults. */
export function withoutDefaults(
  kept: Readonly<Record<string, SettingValue>>,
  changes: readonly SettingChange[],
): Record<string, SettingValue> {
  const defaults: Choices = defaultSettings()
  const changed = { ...kept, ...Object.fromEntries(changes.map(({ property, value }) => [property, value])) }
  return Object.fromEntries(Object.entries(changed).filter(([name, value]) => value !== defaults[name]))
}

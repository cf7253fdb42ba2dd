import { legacyPoliciesOf, type RealmSettingValue } from '@tms/contracts'
import type { RealmSettings } from './stored-settings.ts'

/** Settings as clients receive them, by their name without `realm_`. */
export type ShownSettings = Readonly<Record<string, RealmSettingValue>>

/** An organization's settings in register's answers and in events: also the policies that older clients read. */
export function showSettings(settings: RealmSettings): ShownSettings {
  return { ...settings, ...legacyPoliciesOf(settings) }
}

/** The settings that changed, with their new values. */
export function changedSettings(before: ShownSettings, after: ShownSettings): ShownSettings {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  )
}

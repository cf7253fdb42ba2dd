import {
  type AuthenticationMethod,
  enabledMethods,
  legacyPoliciesOf,
  type RealmSettingValue,
} from '@tms/contracts'
import type { RealmSettings } from './stored-settings.ts'

/** Settings as clients receive them, by their name without `realm_`. */
export type ShownSettings = Readonly<Record<string, RealmSettingValue>>

/**
 * An organization's settings in register's answers and in events: also the policies that older clients read, and of
 * the authentication methods those that the installation offers it.
 */
export function showSettings(
  settings: RealmSettings,
  available: readonly AuthenticationMethod[],
): ShownSettings {
  const { disabled_authentication_methods: disabled, ...others } = settings
  const enabled = enabledMethods(available, disabled)
  const methods = available.map((name) => [name, { enabled: enabled.includes(name), available: true }])
  return {
    ...others,
    ...legacyPoliciesOf(settings),
    authentication_methods: Object.fromEntries(methods),
  }
}

/** The settings that changed, with their new values. */
export function changedSettings(before: ShownSettings, after: ShownSettings): ShownSettings {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  )
}

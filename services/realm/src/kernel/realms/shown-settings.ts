import {
  type AuthenticationMethod,
  enabledMethods,
  type GroupSettingValue,
  legacyPoliciesOf,
  type RealmPermissionValues,
  type RealmSettingValue,
  realmPermissionNames,
  withoutMembers,
} from '@tms/contracts'
import type { RealmSettings } from './stored-settings.ts'

/** Settings as clients receive them, by their name without `realm_`. */
export type ShownSettings = Readonly<Record<string, RealmSettingValue>>

/**
 * An organization's settings in register's answers and in events: permissions without deactivated users, also the policies
 * that older clients read, and of the authentication methods those that the installation offers it.
 */
export function showSettings(
  settings: RealmSettings,
  { available, hiddenMemberIds }: Showing,
): ShownSettings {
  const { disabled_authentication_methods: disabled, ...others } = settings
  const enabled = enabledMethods(available, disabled)
  const methods = available.map((name) => [name, { enabled: enabled.includes(name), available: true }])
  return {
    ...others,
    ...showPermissions(settings, hiddenMemberIds),
    ...legacyPoliciesOf(settings),
    authentication_methods: Object.fromEntries(methods),
  }
}

/** What decides which parts of its settings an organization's clients see. */
export interface Showing {
  /** The authentication methods that the installation offers the organization. */
  readonly available: readonly AuthenticationMethod[]
  /** The deactivated users that permissions name. */
  readonly hiddenMemberIds: readonly number[]
}

/** Permissions as clients get them: without these users, who are deactivated. */
export function showPermissions(
  permissions: RealmPermissionValues,
  hiddenMemberIds: readonly number[],
): RealmPermissionValues {
  const hidden = new Set(hiddenMemberIds)
  const values = realmPermissionNames.map((name): [string, GroupSettingValue] => [
    name,
    withoutMembers(permissions[name], hidden),
  ])
  return Object.fromEntries(values) as RealmPermissionValues
}

/** The settings that changed, with their new values. */
export function changedSettings(before: ShownSettings, after: ShownSettings): ShownSettings {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  )
}

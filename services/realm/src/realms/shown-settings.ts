import { type RealmSettingValue, systemGroupIds } from '@tms/contracts'
import type { RealmSettings } from './stored-settings.ts'

/** Settings as clients get them, by their name without `realm_`: groups by ID. */
export type ShownSettings = Readonly<Record<string, RealmSettingValue>>

/** What register answers and events tell of an organization's settings. */
export function showSettings(settings: RealmSettings): ShownSettings {
  const { create_multiuse_invite_group, can_access_all_users_group, ...plain } = settings
  return {
    ...plain,
    create_multiuse_invite_group: systemGroupIds[create_multiuse_invite_group],
    can_access_all_users_group: systemGroupIds[can_access_all_users_group],
  }
}

/** The settings that aren't the same any more, with their new values. */
export function changedSettings(before: ShownSettings, after: ShownSettings): ShownSettings {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name]))
}

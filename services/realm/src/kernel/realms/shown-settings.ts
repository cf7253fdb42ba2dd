import { type RealmSettingValue, systemGroupIds } from '@tms/contracts'
import type { RealmSettings } from './stored-settings.ts'

/** Settings as clients receive them, by their name without `realm_`: groups by ID. */
export type ShownSettings = Readonly<Record<string, RealmSettingValue>>

/** An organization's settings in register's answers and in events. */
export function showSettings(settings: RealmSettings): ShownSettings {
  const { create_multiuse_invite_group, can_access_all_users_group, ...plain } = settings
  return {
    ...plain,
    create_multiuse_invite_group: systemGroupIds[create_multiuse_invite_group],
    can_access_all_users_group: systemGroupIds[can_access_all_users_group],
  }
}

/** The settings that changed, with their new values. */
export function changedSettings(before: ShownSettings, after: ShownSettings): ShownSettings {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name]))
}

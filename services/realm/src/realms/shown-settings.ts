import { type RealmSettingValue, systemGroupIds } from '@tms/contracts'
import { groupOfPolicy } from './group-of-policy.ts'
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
    // Clients of levels 264, 266 and 270 on read groups where older ones read policies.
    can_create_public_channel_group: groupOfPolicy(settings.create_public_stream_policy),
    can_create_private_channel_group: groupOfPolicy(settings.create_private_stream_policy),
    direct_message_permission_group:
      systemGroupIds[settings.private_message_policy === 1 ? 'role:everyone' : 'role:nobody'],
  }
}

/** The settings that aren't the same any more, with their new values. */
export function changedSettings(before: ShownSettings, after: ShownSettings): ShownSettings {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name]))
}

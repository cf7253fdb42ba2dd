import { type OpenGroupSetting, realmGroupSettings, type SystemGroupName } from '@tms/contracts'

interface PermissionSetting {
  readonly require_system_group: boolean
  readonly allow_internet_group: boolean
  readonly allow_owners_group: boolean
  readonly allow_nobody_group: boolean
  readonly allow_everyone_group: boolean
  readonly default_group_name: SystemGroupName
  readonly id_field_name: string
  readonly default_for_system_groups: SystemGroupName | null
  /** Empty: any. */
  readonly allowed_system_groups: readonly SystemGroupName[]
}

const systemGroup = (
  id_field_name: string,
  default_group_name: SystemGroupName,
  rest: Partial<PermissionSetting> = {},
): PermissionSetting => ({
  require_system_group: true,
  allow_internet_group: false,
  allow_owners_group: false,
  allow_nobody_group: true,
  allow_everyone_group: false,
  default_group_name,
  id_field_name,
  default_for_system_groups: null,
  allowed_system_groups: [],
  ...rest,
})

/** A setting that also accepts custom groups. */
function openGroup(name: OpenGroupSetting, default_group_name: SystemGroupName): PermissionSetting {
  const taken: readonly SystemGroupName[] = realmGroupSettings[name].systemGroups
  return systemGroup(`${name}_id`, default_group_name, {
    require_system_group: false,
    allow_owners_group: taken.includes('role:owners'),
    allow_everyone_group: taken.includes('role:everyone'),
  })
}

/** Which groups each group setting accepts, for clients that offer the choice. */
export const supportedPermissionSettings: Readonly<
  Record<'realm' | 'stream' | 'group', Readonly<Record<string, PermissionSetting>>>
> = {
  realm: {
    create_multiuse_invite_group: systemGroup('create_multiuse_invite_group_id', 'role:administrators'),
    can_access_all_users_group: systemGroup('can_access_all_users_group_id', 'role:everyone', {
      allow_nobody_group: false,
      allow_everyone_group: true,
      allowed_system_groups: realmGroupSettings.can_access_all_users_group.systemGroups,
    }),
    can_create_public_channel_group: openGroup('can_create_public_channel_group', 'role:members'),
    can_create_private_channel_group: openGroup('can_create_private_channel_group', 'role:members'),
    direct_message_initiator_group: openGroup('direct_message_initiator_group', 'role:everyone'),
    direct_message_permission_group: openGroup('direct_message_permission_group', 'role:everyone'),
  },
  stream: {
    can_remove_subscribers_group: systemGroup('can_remove_subscribers_group_id', 'role:administrators', {
      allow_nobody_group: false,
      allow_everyone_group: true,
    }),
  },
  group: {
    can_mention_group: systemGroup('can_mention_group_id', 'role:everyone', {
      require_system_group: false,
      allow_owners_group: true,
      allow_everyone_group: true,
      default_for_system_groups: 'role:nobody',
    }),
  },
}

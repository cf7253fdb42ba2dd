import {
  channelPermissions,
  groupPermissions,
  type PermissionSetting,
  realmPermissions,
} from '@tms/contracts'

/** A permission as clients that offer the choice of its value read it. `creator` is their name of its creator. */
function show(
  {
    defaultGroup,
    startsWithCreator,
    allowsNobody,
    allowsEveryone,
    requiresSystemGroup,
    allowedSystemGroups,
  }: PermissionSetting,
  creator: string | null,
) {
  return {
    require_system_group: requiresSystemGroup,
    allow_internet_group: false,
    allow_nobody_group: allowsNobody,
    allow_everyone_group: allowsEveryone,
    default_group_name: startsWithCreator && creator !== null ? creator : defaultGroup,
    default_for_system_groups: null as string | null,
    allowed_system_groups: allowedSystemGroups,
  }
}

const showAll = (permissions: Readonly<Record<string, PermissionSetting>>, creator: string | null = null) =>
  Object.fromEntries(
    Object.entries(permissions).map(([name, permission]) => [name, show(permission, creator)]),
  )

/** Which values each permission accepts. */
export const supportedPermissionSettings = {
  realm: showAll(realmPermissions),
  // The name of these levels for a channel's creator.
  stream: showAll(channelPermissions, 'stream_creator_or_nobody'),
  group: Object.fromEntries(
    Object.entries(showAll(groupPermissions, 'group_creator')).map(([name, shown]) => [
      name,
      { ...shown, default_for_system_groups: 'role:nobody' },
    ]),
  ),
}

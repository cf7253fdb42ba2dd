import {
  customGroupsOf,
  type GroupObjection,
  type GroupPermissionValues,
  groupPermissionNames,
  type RealmPermissionValues,
  realmPermissionNames,
} from '@tms/contracts'

interface UsedGroup {
  readonly id: number
  readonly subgroupIds: readonly number[]
  readonly permissions: GroupPermissionValues
  readonly isDeactivated: boolean
}

/** Where active groups use another one: those that contain it, and those whose permissions name it. */
export function listUsesInGroups(groupId: number, groups: readonly UsedGroup[]): GroupObjection[] {
  const others = groups.filter(({ id, isDeactivated }) => id !== groupId && !isDeactivated)
  const supergroup_ids = others.filter((one) => one.subgroupIds.includes(groupId)).map(({ id }) => id)
  const naming = others.map(({ id, permissions }) => ({
    type: 'user_group' as const,
    group_id: id,
    settings: groupPermissionNames.filter((name) => customGroupsOf(permissions[name]).includes(groupId)),
  }))
  return [
    ...(supergroup_ids.length > 0 ? [{ type: 'subgroup' as const, supergroup_ids }] : []),
    ...naming.filter(({ settings }) => settings.length > 0),
  ]
}

/** The permissions of the organization that name a group. */
export function listUsesInRealm(groupId: number, realm: RealmPermissionValues): GroupObjection[] {
  const settings = realmPermissionNames.filter((name) => customGroupsOf(realm[name]).includes(groupId))
  return settings.length > 0 ? [{ type: 'realm', settings }] : []
}

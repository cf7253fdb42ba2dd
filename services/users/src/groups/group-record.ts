import {
  type GroupPermissionValues,
  groupPermissionNames,
  type UserGroup,
  type UserGroupProjection,
  withoutMembers,
} from '@tms/contracts'
import type { Group } from './group.queries.ts'

/** A group as clients see it: neither as members nor in permissions do they see deactivated users. */
export function withoutDeactivated(group: UserGroup, deactivatedIds: ReadonlySet<number>): UserGroup {
  const permissions = Object.fromEntries(
    groupPermissionNames.map((name) => [name, withoutMembers(group[name], deactivatedIds)]),
  ) as GroupPermissionValues
  return { ...group, members: group.members.filter((id) => !deactivatedIds.has(id)), ...permissions }
}

/** A new group as clients see it: its users are all active then. */
export function toUserGroup(group: Group): UserGroup {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    creator_id: group.creatorId,
    date_created: group.createdAt && Math.floor(group.createdAt.getTime() / 1000),
    members: group.memberIds,
    direct_subgroup_ids: group.subgroupIds,
    is_system_group: false,
    deactivated: group.isDeactivated,
    ...group.permissions,
  }
}

/** What other services store of a group. */
export function toGroupProjection(group: Group): UserGroupProjection {
  return {
    group_id: group.id,
    realm_id: group.realmId,
    name: group.name,
    member_ids: group.memberIds,
    subgroup_ids: group.subgroupIds,
    can_mention_group: group.permissions.can_mention_group,
    is_deactivated: group.isDeactivated,
    is_deleted: false,
    version: group.version,
  }
}

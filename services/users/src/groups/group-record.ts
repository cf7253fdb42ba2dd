import type { UserGroup, UserGroupProjection } from '@tms/contracts'
import type { Group } from './group.queries.ts'

/** A custom group as clients see it. */
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

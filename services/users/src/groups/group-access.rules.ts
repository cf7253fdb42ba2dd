import {
  type GroupPermission,
  type GroupPermissionValues,
  groupPermissions,
  hasPermission,
  isCustomGroup,
  isInSystemGroup,
} from '@tms/contracts'
import type { PermissionSubject } from '../kernel/groups/group-membership.ts'
import { groupsWithin } from './group-graph.rules.ts'

/** A permission to change a group. */
export type EditPermission = Exclude<GroupPermission, 'can_mention_group'>

/** A user who changes groups. */
export interface GroupEditor extends PermissionSubject {
  /** Whether the user manages every group of the organization. */
  readonly managesAllGroups: boolean
}

/** What access needs to know of a custom group. */
export interface EditedGroup {
  readonly id: number
  readonly memberIds: readonly number[]
  readonly subgroupIds: readonly number[]
  readonly permissions: GroupPermissionValues
}

/** Each permission, and those that imply it. */
const sufficient: Readonly<Record<EditPermission, readonly EditPermission[]>> = {
  can_manage_group: ['can_manage_group'],
  can_add_members_group: ['can_add_members_group', 'can_manage_group'],
  can_join_group: ['can_join_group', 'can_add_members_group', 'can_manage_group'],
  can_remove_members_group: ['can_remove_members_group', 'can_manage_group'],
  can_leave_group: ['can_leave_group', 'can_remove_members_group', 'can_manage_group'],
}

/** Whether a user has a permission on a custom group. `groups` are all active custom groups of the
 * organization. */
export function mayEditGroup(
  name: EditPermission,
  { permissions }: EditedGroup,
  editor: GroupEditor,
  groups: readonly EditedGroup[],
): boolean {
  if (editor.managesAllGroups) return true
  const isInCustomGroup = (id: number) => isInGroup(id, editor, groups)
  return sufficient[name].some((one) =>
    hasPermission(groupPermissions[one], permissions[one], editor, isInCustomGroup),
  )
}

/** Whether a user is in a group, directly or through subgroups. */
function isInGroup(groupId: number, user: PermissionSubject, groups: readonly EditedGroup[]): boolean {
  const links = groups.map(({ id, subgroupIds }) => ({ id, direct_subgroup_ids: subgroupIds }))
  const within = groupsWithin(links, [groupId]).add(groupId)
  return (
    [...within].some((id) => !isCustomGroup(id) && isInSystemGroup(id, user)) ||
    groups.some(({ id, memberIds }) => within.has(id) && memberIds.includes(user.userId))
  )
}

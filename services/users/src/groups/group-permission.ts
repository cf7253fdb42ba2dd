import {
  badRequest,
  canonicalGroupSetting,
  type GroupSettingValue,
  groupSettingParts,
  isSameGroupSetting,
  systemGroupIds,
} from '@tms/contracts'
import { checkGroupIds, checkUserIds, type Editing } from './editing.ts'

/**
 * The stored form of a permission: a single group by its ID, else sorted lists. Throws BAD_REQUEST for unknown users
 * and groups, and for `role:internet`.
 */
export async function checkPermission(
  editing: Editing,
  requested: GroupSettingValue,
): Promise<GroupSettingValue> {
  const { direct_members, direct_subgroups } = groupSettingParts(requested)
  const userIds = await checkUserIds(editing, direct_members)
  const groupIds = checkGroupIds(editing, direct_subgroups)
  if (groupIds.includes(systemGroupIds['role:internet'])) {
    throw badRequest("'can_mention_group' cannot be 'role:internet'")
  }
  return canonicalGroupSetting({ direct_members: userIds, direct_subgroups: groupIds })
}

/** Compares permissions regardless of their form. */
export function isSamePermission(one: GroupSettingValue, other: GroupSettingValue): boolean {
  return isSameGroupSetting(canonicalGroupSetting(one), canonicalGroupSetting(other))
}

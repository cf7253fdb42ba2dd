import { badRequest, type GroupPermission, systemGroupIds } from '@tms/contracts'
import { checkGroupIds, checkUserIds, type Editing } from './editing.ts'

/**
 * The stored form of a permission: a single group by its ID, else sorted lists. Throws BAD_REQUEST for unknown users
 * and groups, and for `role:internet`.
 */
export async function checkPermission(
  editing: Editing,
  requested: GroupPermission,
): Promise<GroupPermission> {
  const { direct_members, direct_subgroups } =
    typeof requested === 'number' ? { direct_members: [], direct_subgroups: [requested] } : requested
  const userIds = await checkUserIds(editing, direct_members)
  const groupIds = checkGroupIds(editing, direct_subgroups)
  if (groupIds.includes(systemGroupIds['role:internet'])) {
    throw badRequest("'can_mention_group' cannot be 'role:internet'")
  }
  const [only] = groupIds
  if (userIds.length === 0 && groupIds.length === 1 && only !== undefined) return only
  return { direct_members: userIds, direct_subgroups: groupIds }
}

/** Compares permissions regardless of their form. */
export function isSamePermission(one: GroupPermission, other: GroupPermission): boolean {
  return canonical(one) === canonical(other)
}

function canonical(permission: GroupPermission): string {
  const { direct_members, direct_subgroups } =
    typeof permission === 'number' ? { direct_members: [], direct_subgroups: [permission] } : permission
  const list = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b)
  return JSON.stringify([list(direct_members), list(direct_subgroups)])
}

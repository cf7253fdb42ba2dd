import { badRequest, type GroupPermission, systemGroupIds } from '@tms/contracts'
import { checkGroups, checkPeople, type Editing } from './editing.ts'

/**
 * A permission as it is stored: one group alone by its ID, lists in order. Throws BAD_REQUEST for someone or a group
 * that isn't there, and for a group of people without account.
 */
export async function checkPermission(editing: Editing, asked: GroupPermission): Promise<GroupPermission> {
  const { direct_members, direct_subgroups } =
    typeof asked === 'number' ? { direct_members: [], direct_subgroups: [asked] } : asked
  const userIds = await checkPeople(editing, direct_members)
  const groupIds = checkGroups(editing, direct_subgroups)
  if (groupIds.includes(systemGroupIds['role:internet'])) {
    throw badRequest("'can_mention_group' can not be 'role:internet'")
  }
  const [only] = groupIds
  if (userIds.length === 0 && groupIds.length === 1 && only !== undefined) return only
  return { direct_members: userIds, direct_subgroups: groupIds }
}

/** Whether two permissions are the same, however their lists are written. */
export function isSamePermission(one: GroupPermission, other: GroupPermission): boolean {
  return canonical(one) === canonical(other)
}

function canonical(permission: GroupPermission): string {
  const { direct_members, direct_subgroups } =
    typeof permission === 'number' ? { direct_members: [], direct_subgroups: [permission] } : permission
  const list = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b)
  return JSON.stringify([list(direct_members), list(direct_subgroups)])
}

import type { GroupPermission } from '@tms/contracts'

/** A group and what it contains. */
export interface GroupLinks {
  readonly id: number
  readonly direct_subgroup_ids: readonly number[]
}

/** The groups within some groups, at any depth; those themselves are left out unless they are within another. */
export function groupsWithin(groups: readonly GroupLinks[], ids: readonly number[]): Set<number> {
  const subgroups = new Map(groups.map((group) => [group.id, group.direct_subgroup_ids]))
  const within = new Set<number>()
  const open = [...ids]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const subgroupId of subgroups.get(id) ?? []) {
      if (within.has(subgroupId)) continue
      within.add(subgroupId)
      open.push(subgroupId)
    }
  }
  return within
}

/** Whether a group would be within itself if it contained these. */
export function makesCycle(
  groups: readonly GroupLinks[],
  groupId: number,
  addedIds: readonly number[],
): boolean {
  return addedIds.includes(groupId) || groupsWithin(groups, addedIds).has(groupId)
}

/** Whether a permission is granted to a group. */
export function isGrantedTo(permission: GroupPermission, groupId: number): boolean {
  return typeof permission === 'number'
    ? permission === groupId
    : permission.direct_subgroups.includes(groupId)
}

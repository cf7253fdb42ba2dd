export interface GroupLinks {
  readonly id: number
  readonly direct_subgroup_ids: readonly number[]
}

/** Groups within the given ones, at any depth. The given ones are included only if they are within another. */
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

/** Whether adding these groups would put the group within itself. */
export function makesCycle(
  groups: readonly GroupLinks[],
  groupId: number,
  addedIds: readonly number[],
): boolean {
  return addedIds.includes(groupId) || groupsWithin(groups, addedIds).has(groupId)
}

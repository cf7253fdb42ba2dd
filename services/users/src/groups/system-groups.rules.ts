import {
  type GroupPermissionValues,
  groupPermissionNames,
  type SystemGroupName,
  systemGroupIds,
  type UserGroup,
} from '@tms/contracts'
import { directGroupsOf } from '../kernel/groups/system-membership.rules.ts'

/** From small to large: each but `role:nobody` is the only subgroup of the next. */
const CHAIN = [
  ['role:owners', 'The owners of the organization'],
  ['role:administrators', 'Owners and administrators'],
  ['role:moderators', 'Moderators, administrators and owners'],
  ['role:fullmembers', 'Members whose waiting period is over, moderators and above'],
  ['role:members', 'Everyone but guests'],
  ['role:everyone', 'Everyone in the organization, guests too'],
  ['role:internet', 'Everyone, with an account or without'],
] as const satisfies readonly (readonly [SystemGroupName, string])[]

export const systemIds: ReadonlySet<number> = new Set(Object.values(systemGroupIds))

/** Users with one role; members are split by their waiting period. */
export interface RoleMembers {
  readonly role: number
  readonly isWaiting: boolean
  /** In order. */
  readonly userIds: readonly number[]
}

/** All system groups, by ID. */
export function systemGroupsOf(allRoleMembers: readonly RoleMembers[]): UserGroup[] {
  const membersOf = (groupId: number): readonly number[] =>
    allRoleMembers
      .filter((roleMembers) => directGroupsOf(roleMembers).includes(groupId))
      .map(({ userIds }) => userIds)
      .reduce(merge, [])
  const chain = CHAIN.map(([name, description], index): UserGroup => {
    const smaller = CHAIN[index - 1]
    return {
      ...createSystemGroup(name, description),
      members: [...membersOf(systemGroupIds[name])],
      direct_subgroup_ids: smaller ? [systemGroupIds[smaller[0]]] : [],
    }
  })
  return [...chain, createSystemGroup('role:nobody', 'Nobody')]
}

/** Both lists as one, in order. They may have 50,000 IDs, which took 10 to 20 ms to sort. */
function merge(one: readonly number[], other: readonly number[]): readonly number[] {
  if (one.length === 0) return other
  const merged: number[] = []
  let next = 0
  for (const id of one) {
    for (let before = other[next]; before !== undefined && before < id; before = other[++next])
      merged.push(before)
    merged.push(id)
  }
  return [...merged, ...other.slice(next)]
}

const NOBODY = Object.fromEntries(
  groupPermissionNames.map((name) => [name, systemGroupIds['role:nobody']]),
) as GroupPermissionValues

function createSystemGroup(name: SystemGroupName, description: string): UserGroup {
  return {
    id: systemGroupIds[name],
    name,
    description,
    creator_id: null,
    date_created: null,
    members: [],
    direct_subgroup_ids: [],
    is_system_group: true,
    deactivated: false,
    ...NOBODY,
  }
}

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
  readonly userIds: readonly number[]
}

/** All system groups, by ID. */
export function systemGroupsOf(allRoleMembers: readonly RoleMembers[]): UserGroup[] {
  const members = new Map<number, number[]>()
  for (const roleMembers of allRoleMembers) {
    for (const groupId of directGroupsOf(roleMembers)) {
      members.set(groupId, [...(members.get(groupId) ?? []), ...roleMembers.userIds])
    }
  }
  const chain = CHAIN.map(([name, description], index): UserGroup => {
    const smaller = CHAIN[index - 1]
    return {
      ...createSystemGroup(name, description),
      members: (members.get(systemGroupIds[name]) ?? []).sort((a, b) => a - b),
      direct_subgroup_ids: smaller ? [systemGroupIds[smaller[0]]] : [],
    }
  })
  return [...chain, createSystemGroup('role:nobody', 'Nobody')]
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

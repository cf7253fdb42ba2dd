import { type GroupMembers, Role, type SystemGroupName, systemGroupIds, type UserGroup } from '@tms/contracts'

/** Smaller ones first: each but `role:nobody` is the one subgroup of the next. */
const CHAIN = [
  ['role:owners', 'The owners of the organization'],
  ['role:administrators', 'Owners and administrators'],
  ['role:moderators', 'Moderators, administrators and owners'],
  ['role:fullmembers', 'Members whose waiting period is over, moderators and above'],
  ['role:members', 'Everyone but guests'],
  ['role:everyone', 'Everyone in the organization, guests too'],
  ['role:internet', 'Everyone, with an account or without'],
] as const satisfies readonly (readonly [SystemGroupName, string])[]

/** IDs of all groups that every organization has. */
export const systemIds: ReadonlySet<number> = new Set(Object.values(systemGroupIds))

const groupsOfRoles: Readonly<Record<number, SystemGroupName>> = {
  [Role.owner]: 'role:owners',
  [Role.administrator]: 'role:administrators',
  [Role.moderator]: 'role:moderators',
  [Role.member]: 'role:members',
  [Role.guest]: 'role:everyone',
}

/** In which groups someone is directly. Of members, only those are full members whose waiting period is over. */
export function directGroupsOf({ role, isWaiting }: { role: number; isWaiting: boolean }): number[] {
  const group = groupsOfRoles[role]
  if (group === undefined) return []
  const isFullMember = role === Role.member && !isWaiting
  return [systemGroupIds[group], ...(isFullMember ? [systemGroupIds['role:fullmembers']] : [])]
}

/** People of one role; of members, all wait or none. */
export interface Cohort {
  readonly role: number
  readonly isWaiting: boolean
  readonly userIds: readonly number[]
}

/** The groups that every organization has, by ID. */
export function systemGroupsOf(cohorts: readonly Cohort[]): UserGroup[] {
  const members = new Map<number, number[]>()
  for (const cohort of cohorts) {
    for (const groupId of directGroupsOf(cohort)) {
      members.set(groupId, [...(members.get(groupId) ?? []), ...cohort.userIds])
    }
  }
  const chain = CHAIN.map(([name, description], place): UserGroup => {
    const smaller = CHAIN[place - 1]
    return {
      ...whole(name, description),
      members: (members.get(systemGroupIds[name]) ?? []).sort((a, b) => a - b),
      direct_subgroup_ids: smaller ? [systemGroupIds[smaller[0]]] : [],
    }
  })
  return [...chain, whole('role:nobody', 'Nobody')]
}

function whole(name: SystemGroupName, description: string): UserGroup {
  return {
    id: systemGroupIds[name],
    name,
    description,
    members: [],
    direct_subgroup_ids: [],
    is_system_group: true,
    can_mention_group: systemGroupIds['role:nobody'],
  }
}

/** What is told when someone leaves some groups and joins others: only what is another afterwards. */
export function membershipChange(
  userId: number,
  before: readonly number[],
  after: readonly number[],
): { removed: GroupMembers[]; added: GroupMembers[] } {
  const only = (these: readonly number[], butThose: readonly number[]) =>
    these.filter((id) => !butThose.includes(id)).map((group_id) => ({ group_id, user_ids: [userId] }))
  return { removed: only(before, after), added: only(after, before) }
}

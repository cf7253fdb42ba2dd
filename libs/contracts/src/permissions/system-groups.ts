import { Policy, type PolicySubject } from './policies.ts'
import { Role } from './role.ts'

/**
 * IDs of the system groups, which every organization has, in settings that take a user group. The same in each
 * organization: membership follows from the role.
 */
export const systemGroupIds = {
  'role:owners': 1,
  'role:administrators': 2,
  'role:moderators': 3,
  'role:fullmembers': 4,
  'role:members': 5,
  'role:everyone': 6,
  'role:internet': 7,
  'role:nobody': 8,
} as const
export type SystemGroupName = keyof typeof systemGroupIds

/** How people know the system groups. */
export const systemGroupTitles: Readonly<Record<SystemGroupName, string>> = {
  'role:owners': 'Owners',
  'role:administrators': 'Administrators',
  'role:moderators': 'Moderators',
  'role:fullmembers': 'Full members',
  'role:members': 'Members',
  'role:everyone': 'Everyone',
  'role:internet': 'Everyone on the internet',
  'role:nobody': 'Nobody',
}

/** The first ID of custom groups, so that no setting confuses the two. */
export const FIRST_CUSTOM_GROUP_ID = 100

const groupsByPolicy: Readonly<Record<number, SystemGroupName>> = {
  [Policy.members]: 'role:members',
  [Policy.administrators]: 'role:administrators',
  [Policy.fullMembers]: 'role:fullmembers',
  [Policy.moderators]: 'role:moderators',
  [Policy.everyone]: 'role:everyone',
  [Policy.nobody]: 'role:nobody',
  [Policy.owners]: 'role:owners',
}

/** The ID of the system group whose members a policy allows. */
export function groupOfPolicy(policy: number): number {
  return systemGroupIds[groupsByPolicy[policy] ?? 'role:nobody']
}

/** Whether a group is a custom one. */
export const isCustomGroup = (groupId: number): boolean => groupId >= FIRST_CUSTOM_GROUP_ID

/** Whether a user is in the system group of this ID, directly or through its subgroups. */
export function isInSystemGroup(groupId: number, { role, isFullMember }: PolicySubject): boolean {
  switch (groupId) {
    case systemGroupIds['role:owners']:
      return role <= Role.owner
    case systemGroupIds['role:administrators']:
      return role <= Role.administrator
    case systemGroupIds['role:moderators']:
      return role <= Role.moderator
    case systemGroupIds['role:fullmembers']:
      return isFullMember
    case systemGroupIds['role:members']:
      return role <= Role.member
    case systemGroupIds['role:everyone']:
    case systemGroupIds['role:internet']:
      return true
    default:
      return false
  }
}

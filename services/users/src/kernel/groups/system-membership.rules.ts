import { type GroupMembers, Role, type SystemGroupName, systemGroupIds } from '@tms/contracts'

const groupsOfRoles: Readonly<Record<number, SystemGroupName>> = {
  [Role.owner]: 'role:owners',
  [Role.administrator]: 'role:administrators',
  [Role.moderator]: 'role:moderators',
  [Role.member]: 'role:members',
  [Role.guest]: 'role:everyone',
}

/** The system groups of which a user is a direct member. Members are full members once their waiting period is over. */
export function directGroupsOf({ role, isWaiting }: { role: number; isWaiting: boolean }): number[] {
  const group = groupsOfRoles[role]
  if (group === undefined) return []
  const isFullMember = role === Role.member && !isWaiting
  return [systemGroupIds[group], ...(isFullMember ? [systemGroupIds['role:fullmembers']] : [])]
}

/** Memberships that a user loses and gains. */
export function diffMembership(
  userId: number,
  before: readonly number[],
  after: readonly number[],
): { removed: GroupMembers[]; added: GroupMembers[] } {
  const only = (these: readonly number[], butThose: readonly number[]) =>
    these.filter((id) => !butThose.includes(id)).map((group_id) => ({ group_id, user_ids: [userId] }))
  return { removed: only(before, after), added: only(after, before) }
}

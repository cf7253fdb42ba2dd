import { Role } from '@tms/contracts'

/** Whom a policy admits; each includes the roles above (users-and-realm.md, section 5). */
export const Policy = {
  members: 1,
  administrators: 2,
  fullMembers: 3,
  moderators: 4,
  everyone: 5,
  nobody: 6,
  owners: 7,
} as const

/** The weakest role that a policy admits at once. */
const sufficientRole: Readonly<Record<number, number>> = {
  [Policy.members]: Role.member,
  [Policy.administrators]: Role.administrator,
  [Policy.fullMembers]: Role.moderator,
  [Policy.moderators]: Role.moderator,
  [Policy.everyone]: Role.guest,
  [Policy.owners]: Role.owner,
}

const DAY_MS = 86_400_000

/**
 * Whether a policy admits someone. A member is full once their age in whole days reaches
 * `waitingPeriodDays`.
 */
export function admits(
  policy: number,
  { role, dateJoined }: { role: number; dateJoined: Date },
  waitingPeriodDays: number,
  now: Date,
): boolean {
  if (role <= (sufficientRole[policy] ?? 0)) return true
  if (policy !== Policy.fullMembers || role !== Role.member) return false
  return Math.floor((now.getTime() - dateJoined.getTime()) / DAY_MS) >= waitingPeriodDays
}

import { Role } from './role.ts'

/** Values of the organization's policies, by which older clients know who has a permission. */
export const Policy = {
  members: 1,
  administrators: 2,
  fullMembers: 3,
  moderators: 4,
  everyone: 5,
  nobody: 6,
  owners: 7,
} as const

/** The properties of a user on which membership in system groups depends. */
export interface PolicySubject {
  readonly role: number
  readonly isFullMember: boolean
}

const DAY_SECONDS = 86_400

/**
 * Whether a user counts as a full member: members do once their age in whole days has reached the organization's
 * waiting period, higher roles at once, guests never. `date_joined` and `now` are UNIX seconds.
 */
export function isFullMember(
  { role, date_joined }: { readonly role: number; readonly date_joined: number },
  waitingPeriodDays: number,
  now: number,
): boolean {
  if (role <= Role.moderator) return true
  return role <= Role.member && Math.floor((now - date_joined) / DAY_SECONDS) >= waitingPeriodDays
}

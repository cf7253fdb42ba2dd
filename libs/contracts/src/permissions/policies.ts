import { Role } from './role.ts'

/** Values of the organization's policies. */
export const Policy = {
  members: 1,
  administrators: 2,
  fullMembers: 3,
  moderators: 4,
  everyone: 5,
  nobody: 6,
  owners: 7,
} as const

/** The properties of a user that policies depend on. */
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

/** Whether a policy allows a user. An unknown value allows nobody. */
export function policyAllows(policy: number, { role, isFullMember }: PolicySubject): boolean {
  switch (policy) {
    case Policy.everyone:
      return true
    case Policy.members:
      return role <= Role.member
    case Policy.fullMembers:
      return isFullMember
    case Policy.moderators:
      return role <= Role.moderator
    case Policy.administrators:
      return role <= Role.administrator
    case Policy.owners:
      return role <= Role.owner
    default:
      return false
  }
}

import { Role } from '@tms/contracts'

/** Values of the organization's policies (users-and-realm.md, section 5). */
export const Policy = {
  members: 1,
  administrators: 2,
  fullMembers: 3,
  moderators: 4,
  everyone: 5,
  nobody: 6,
  owners: 7,
} as const

export interface Standing {
  readonly role: number
  readonly isFullMember: boolean
}

/**
 * Whether a user counts as a full member. Facts don't tell how long a member has been here, so where the
 * organization has a waiting period, members are taken to be still in it: too strict for most of them, but
 * no policy is passed by someone whom it bars.
 */
export function isFullMember(role: number, waitingPeriodThreshold: number): boolean {
  return role <= Role.moderator || (role <= Role.member && waitingPeriodThreshold === 0)
}

/** Whether a policy lets someone do what it is about. A value that isn't known lets nobody. */
export function policyAllows(policy: number, { role, isFullMember }: Standing): boolean {
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

import { Role } from '@tms/contracts'

/**
 * Whether a user counts as a full member. Facts don't tell how long a member has been here, so where the
 * organization has a waiting period, members are taken to be still in it: too strict for most of them, but
 * no policy is passed by someone whom it bars.
 */
export function isFullMember(role: number, waitingPeriodThreshold: number): boolean {
  return role <= Role.moderator || (role <= Role.member && waitingPeriodThreshold === 0)
}

import { policyAllows, Role } from '@tms/contracts'

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
  const ageDays = Math.floor((now.getTime() - dateJoined.getTime()) / DAY_MS)
  const isFullMember = role <= Role.moderator || (role <= Role.member && ageDays >= waitingPeriodDays)
  return policyAllows(policy, { role, isFullMember })
}

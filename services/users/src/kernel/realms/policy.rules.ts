import { isFullMember, policyAllows } from '@tms/contracts'

/**
 * Whether a policy allows the user. A member is a full member once the account's age in whole days reaches
 * `waitingPeriodDays`.
 */
export function isAllowedByPolicy(
  policy: number,
  { role, dateJoined }: { role: number; dateJoined: Date },
  waitingPeriodDays: number,
  now: Date,
): boolean {
  const member = { role, date_joined: dateJoined.getTime() / 1000 }
  return policyAllows(policy, {
    role,
    isFullMember: isFullMember(member, waitingPeriodDays, now.getTime() / 1000),
  })
}

import { Role } from './domain-event.ts'

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

/** What policies ask of someone. */
export interface PolicySubject {
  readonly role: number
  readonly isFullMember: boolean
}

const DAY_SECONDS = 86_400

/**
 * Whether someone counts as a full member: members do once their age in whole days has reached the
 * organization's waiting period, those above at once, guests never. `date_joined` and `now` are UNIX seconds.
 */
export function isFullMember(
  { role, date_joined }: { readonly role: number; readonly date_joined: number },
  waitingPeriodDays: number,
  now: number,
): boolean {
  if (role <= Role.moderator) return true
  return role <= Role.member && Math.floor((now - date_joined) / DAY_SECONDS) >= waitingPeriodDays
}

/** Whether a policy lets someone do what it is about. A value that isn't known lets nobody. */
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

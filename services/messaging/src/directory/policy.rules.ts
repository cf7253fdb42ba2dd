import { Role } from '@tms/contracts'

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

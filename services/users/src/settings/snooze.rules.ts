import { badRequest, limits, type SettingValue } from '@tms/contracts'

/** Throws BAD_REQUEST for a `quiet_until` too far from now: what comes meanwhile is kept until then. */
export function checkSnooze(quietUntil: SettingValue | undefined, now: Date): void {
  const days = limits.maxSnoozeDays
  if (typeof quietUntil === 'number' && quietUntil * 1_000 > now.getTime() + days * 86_400_000)
    throw badRequest(`quiet_until is more than ${days} days from now`)
}

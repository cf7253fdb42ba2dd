import { badRequest } from '@tms/contracts'

/** The days that may pass between the deactivation of an organization and its deletion; `max` null means any number. */
export interface DeletionDelay {
  readonly min: number
  readonly max: number | null
}

const DAY_MS = 86_400_000
/** Without a maximum: a century, since a time that no calendar knows can't be stored. */
const MOST_DAYS = 36_500

/**
 * When an organization that is deactivated now will be deleted; null if never. Without a request, that is after the
 * maximum. Throws BAD_REQUEST for fewer or more days than allowed, and for never if there is a maximum.
 */
export function deletionTimeOf(
  requestedDays: number | null | undefined,
  { min, max }: DeletionDelay,
  now: Date,
): Date | null {
  if (requestedDays === null && max !== null)
    throw badRequest(`The data must be deleted after ${max} days at the latest`)
  const days = requestedDays === undefined ? max : requestedDays
  if (days === null) return null
  if (days < min) throw badRequest(`The data must be kept for at least ${min} days`)
  const most = max ?? MOST_DAYS
  if (days > most) throw badRequest(`The data must be deleted after ${most} days at the latest`)
  return new Date(now.getTime() + days * DAY_MS)
}

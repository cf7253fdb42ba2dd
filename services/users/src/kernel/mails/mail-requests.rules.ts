/** At most `max` per window. */
export interface MailLimit {
  readonly max: number
  readonly windowSeconds: number
}

/** Seconds until one more mail is within all limits; 0 for now. Times are in milliseconds, in any order. */
export function secondsToNextMail(
  requestedAt: readonly number[],
  limits: readonly MailLimit[],
  now: number,
): number {
  const newestFirst = requestedAt.toSorted((a, b) => b - a)
  const waits = limits.map(({ max, windowSeconds }) => {
    const blocking = newestFirst[max - 1]
    return blocking === undefined ? 0 : (blocking - now) / 1000 + windowSeconds
  })
  return Math.max(0, ...waits)
}

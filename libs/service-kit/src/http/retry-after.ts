import type { AppError } from '@tms/contracts'

/** Sent to clients when a dependency is missing: that takes seconds, not minutes, to heal. */
const UNAVAILABLE_SECONDS = 2

/** Seconds after which to try again; null if waiting doesn't help. */
export function retryAfterOf({ code, details }: AppError): number | null {
  const retryAfter = details['retry-after']
  if (typeof retryAfter === 'number') return Math.ceil(retryAfter)
  return code === 'SERVICE_UNAVAILABLE' ? UNAVAILABLE_SECONDS : null
}

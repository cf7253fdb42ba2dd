import type { AppError } from '@tms/contracts'

/** Told to clients that a missing dependency refused: it takes seconds, not minutes, to heal. */
const UNAVAILABLE_SECONDS = 2

/** Seconds after which to try again what was refused; null where waiting doesn't help. */
export function retryAfterOf({ code, details }: AppError): number | null {
  const told = details['retry-after']
  if (typeof told === 'number') return Math.ceil(told)
  return code === 'SERVICE_UNAVAILABLE' ? UNAVAILABLE_SECONDS : null
}

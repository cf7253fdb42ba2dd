import { asAppError } from '@tms/service-kit'

/**
 * Returns the reason if the error is permanent, so that another attempt would not help. Null for errors that may
 * pass: an unavailable server, or a defect.
 */
export function permanentErrorText(err: unknown): string | null {
  const error = asAppError(err)
  return error !== null && error.status < 500 ? error.message : null
}

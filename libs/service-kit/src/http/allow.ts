import type { AppError } from '@tms/contracts'

/** The methods that a 405 must list in its `Allow` header (RFC 9110, 15.5.6); null for other errors. */
export function allowOf({ details }: AppError): string | null {
  const allowed = details['allowed_methods']
  return Array.isArray(allowed) ? allowed.join(', ') : null
}

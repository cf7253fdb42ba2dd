import { type AppError, badRequest } from '@tms/contracts'

/** PostgreSQL error classes that bad data causes, and the codes of values that exist already. */
const BAD_DATA = /^2[23]/
const TAKEN = ['23505', '23P01']

/** Converts an error of PostgreSQL to BAD_REQUEST if the imported records cause it; null otherwise. */
export function toImportError(err: unknown, kind: string): AppError | null {
  const { code, detail, message } = (err ?? {}) as { code?: unknown; detail?: unknown; message?: unknown }
  if (typeof code !== 'string' || !BAD_DATA.test(code)) return null
  const reason = typeof detail === 'string' ? detail : String(message)
  return TAKEN.includes(code)
    ? badRequest(`A record of the kind ${kind} is taken here already: ${reason}`)
    : badRequest(`A record of the kind ${kind} can't be stored: ${reason}`)
}

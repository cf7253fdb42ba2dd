import { type AppError, badRequest } from '@tms/contracts'

/** PostgreSQL's classes of errors that are the data's fault, and those of values that are there already. */
const BAD_DATA = /^2[23]/
const TAKEN = ['23505', '23P01']

/** What to answer when PostgreSQL refuses records of an export; null for what isn't their fault. */
export function refusalOf(err: unknown, kind: string): AppError | null {
  const { code, detail, message } = (err ?? {}) as { code?: unknown; detail?: unknown; message?: unknown }
  if (typeof code !== 'string' || !BAD_DATA.test(code)) return null
  const reason = typeof detail === 'string' ? detail : String(message)
  return TAKEN.includes(code)
    ? badRequest(`A record of the kind ${kind} is taken here already: ${reason}`)
    : badRequest(`A record of the kind ${kind} can't be stored: ${reason}`)
}

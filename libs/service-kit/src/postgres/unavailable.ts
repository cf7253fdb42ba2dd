/** PostgreSQL is unavailable: no server answers, or none that takes writes. */
export class DatabaseUnavailableError extends Error {
  readonly code = 'DATABASE_UNAVAILABLE'
  /** A server answers, but it is read-only. */
  readonly isReadOnly: boolean

  constructor(
    message: string,
    { isReadOnly = false, ...options }: ErrorOptions & { isReadOnly?: boolean } = {},
  ) {
    super(message, options)
    this.isReadOnly = isReadOnly
  }
}

/** Messages of a standby, for errors that have no code of their own. */
const RECOVERY_WORDS =
  /in a read-only transaction|(during|conflict with) recovery|recovery is in progress|read-write mode/i

/** Whether the server reports that it is read-only: a standby, or about to be replaced. */
export function isReadOnlyFailure({ code, message }: { code?: unknown; message?: unknown }): boolean {
  return code === '25006' || (typeof message === 'string' && RECOVERY_WORDS.test(message))
}

/**
 * Whether the server starts, stops, has no free connection, drops this one, or is read-only: the statement may be
 * tried again, on another connection.
 */
export function isUnavailableFailure(failure: { code?: unknown; message?: unknown }): boolean {
  const { code } = failure
  if (isReadOnlyFailure(failure)) return true
  if (typeof code !== 'string') return false
  return /^(57P0|08)/.test(code) || ['25P03', '53300', 'DATABASE_UNAVAILABLE'].includes(code)
}

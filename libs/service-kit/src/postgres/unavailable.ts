/** PostgreSQL can't be had at the moment: nobody answers, or nobody who takes writes. */
export class DatabaseUnavailableError extends Error {
  readonly code = 'DATABASE_UNAVAILABLE'
  /** Somebody answers, who doesn't take writes. */
  readonly isReadOnly: boolean

  constructor(
    message: string,
    { isReadOnly = false, ...options }: ErrorOptions & { isReadOnly?: boolean } = {},
  ) {
    super(message, options)
    this.isReadOnly = isReadOnly
  }
}

/** The words of a server that follows another one, for what has no code of its own. */
const RECOVERY_WORDS =
  /in a read-only transaction|(during|conflict with) recovery|recovery is in progress|read-write mode/i

/** Whether the server says that it doesn't write, being a standby or about to be replaced. */
export function isReadOnlyFailure({ code, message }: { code?: unknown; message?: unknown }): boolean {
  return code === '25006' || (typeof message === 'string' && RECOVERY_WORDS.test(message))
}

/**
 * Whether the server starts, stops, has no room, lets go of the connection, or doesn't write now: what was refused may be
 * tried again, on another connection.
 */
export function isUnavailableFailure(failure: { code?: unknown; message?: unknown }): boolean {
  const { code } = failure
  if (isReadOnlyFailure(failure)) return true
  if (typeof code !== 'string') return false
  return /^(57P0|08)/.test(code) || ['25P03', '53300', 'DATABASE_UNAVAILABLE'].includes(code)
}

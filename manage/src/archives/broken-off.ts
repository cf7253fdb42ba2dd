import { AppError, type ExportPart } from '@tms/contracts'
import { CommandError, messageOf, UnavailableError } from '../failures.ts'

/**
 * For a stream from or to a service that fails: throws the service's own words, or that it is gone instead of how its
 * connection ended. What was interrupted is thrown as it is, and so is what this end has refused.
 */
export function throwBrokenOff(part: ExportPart, signal: AbortSignal): (err: unknown) => never {
  return (err) => {
    if (signal.aborted || err instanceof AppError || err instanceof CommandError) throw err
    throw new UnavailableError(
      `The ${part} service went away in the middle (${messageOf(err)}). Run the command again once it answers.`,
      { cause: err },
    )
  }
}

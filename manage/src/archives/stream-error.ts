import { AppError, type ExportPart } from '@tms/contracts'
import { CommandError, getErrorMessage, UnavailableError } from '../kernel/errors.ts'

/**
 * Creates a handler for a stream from or to a service that fails. It rethrows errors of the service, of the archive and of
 * an interruption unchanged, and reports any other, such as a lost connection, as an unavailable service.
 */
export function rethrowStreamError(part: ExportPart, signal: AbortSignal): (err: unknown) => never {
  return (err) => {
    if (signal.aborted || err instanceof AppError || err instanceof CommandError) throw err
    throw new UnavailableError(
      `The ${part} service closed the connection (${getErrorMessage(err)}). Run the command again when it answers.`,
      { cause: err },
    )
  }
}

import { types } from 'node:util'
import { AppError } from '@tms/contracts'
import { UnansweredError } from '@tms/local-system'

/** Exit codes of commands. */
export const ExitCode = { success: 0, failure: 1, usage: 2, unavailable: 3, interrupted: 130 } as const

/** A failure that the operator can correct; the message says how. */
export class CommandError extends Error {}

/** An invalid argument. */
export class UsageError extends Error {}

/** A server does not answer. */
export class UnavailableError extends Error {}

/** The operator pressed Ctrl-C at a prompt. */
export class InterruptedError extends Error {}

/** Codes of connection errors: nobody listens at the address, or the host name is unknown. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EAI_AGAIN',
])

export function getErrorMessage(err: unknown): string {
  return types.isNativeError(err) ? err.message : String(err)
}

/** The exit code and message for an error. */
export function describeFailure(err: unknown): { code: number; message: string } {
  const message = getErrorMessage(err)
  if (err instanceof UsageError) return { code: ExitCode.usage, message }
  if (err instanceof InterruptedError) return { code: ExitCode.interrupted, message }
  if (err instanceof UnavailableError || err instanceof UnansweredError || isUnreachable(err))
    return { code: ExitCode.unavailable, message }
  if (err instanceof AppError && err.code === 'SERVICE_UNAVAILABLE')
    return { code: ExitCode.unavailable, message: appendCause(err) }
  if (err instanceof AppError && err.code === 'UNAUTHORIZED')
    return {
      code: ExitCode.failure,
      message: 'The service rejects this key: INTERNAL_PRIVATE_KEY must be the one of this installation',
    }
  return { code: ExitCode.failure, message }
}

function isUnreachable(err: unknown): err is Error {
  return types.isNativeError(err) && 'code' in err && UNREACHABLE.has(String(err.code))
}

/** Appends the last answer, or the reason why there was none. */
function appendCause({ message, cause }: AppError): string {
  const reason = types.isNativeError(cause) ? cause.message : (cause as { msg?: unknown } | undefined)?.msg
  return typeof reason === 'string' && reason !== '' ? `${message} (${reason})` : message
}

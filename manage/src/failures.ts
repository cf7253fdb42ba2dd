import { types } from 'node:util'
import { AppError } from '@tms/contracts'
import { UnansweredError } from '@tms/local-system'

/** What a command ends with. */
export const ExitCode = { done: 0, refused: 1, misunderstood: 2, away: 3, interrupted: 130 } as const

/** Something that an operator can put right, in a sentence. */
export class CommandError extends Error {}

/** An argument that says nothing, in a sentence. */
export class UsageError extends Error {}

/** A server that doesn't answer. */
export class UnavailableError extends Error {}

/** An operator who breaks off what asks him. */
export class Interrupted extends Error {}

/** How connections fail while nobody listens there, or the name is nobody's. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EAI_AGAIN',
])

/** What an error says. */
export function messageOf(err: unknown): string {
  return types.isNativeError(err) ? err.message : String(err)
}

/** What to say of an error, and how to end. */
export function failureOf(err: unknown): { code: number; message: string } {
  const message = messageOf(err)
  if (err instanceof UsageError) return { code: ExitCode.misunderstood, message }
  if (err instanceof Interrupted) return { code: ExitCode.interrupted, message }
  if (err instanceof UnavailableError || err instanceof UnansweredError || isUnreachable(err))
    return { code: ExitCode.away, message }
  if (err instanceof AppError && err.code === 'SERVICE_UNAVAILABLE')
    return { code: ExitCode.away, message: withCause(err) }
  if (err instanceof AppError && err.code === 'UNAUTHORIZED')
    return {
      code: ExitCode.refused,
      message: 'The service does not take this key: is INTERNAL_PRIVATE_KEY that of this installation?',
    }
  return { code: ExitCode.refused, message }
}

function isUnreachable(err: unknown): err is Error {
  return types.isNativeError(err) && 'code' in err && UNREACHABLE.has(String(err.code))
}

/** The last answer, or why there was none. */
function withCause({ message, cause }: AppError): string {
  const reason = types.isNativeError(cause) ? cause.message : (cause as { msg?: unknown } | undefined)?.msg
  return typeof reason === 'string' && reason !== '' ? `${message} (${reason})` : message
}

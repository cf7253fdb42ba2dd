import { AppError, badRequest } from '@tms/contracts'
import { isUnavailableFailure } from '../postgres/unavailable.ts'

/** PostgreSQL's codes for a number that no column holds, or text that it cannot store: the request's fault. */
const BAD_VALUE_STATES = new Set(['22003', '22021', '22P05'])

const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  // Prisma's codes: not reachable, timed out, closed, no free connection, no transaction begun in time.
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
])

/** Messages of the PostgreSQL, RabbitMQ and Redis clients, and of a Redis Cluster with an unavailable part. */
const UNAVAILABLE_WORDS =
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|Connection is closed|max retries per request|Command timed out|Stream isn't writeable|^CLUSTERDOWN|^LOADING|^READONLY|^MASTERDOWN|Cluster isn't ready|Cluster is ended|Too many Cluster redirections/i

/** PostgreSQL ended a deadlocked transaction, or a statement that exceeded the statement timeout. */
const ENDED_STATES = new Set(['40P01', '57014'])

/**
 * Maps anything a handler threw to the error to answer, or null for a defect, which must be logged and answered as
 * INTERNAL. An unavailable dependency becomes SERVICE_UNAVAILABLE.
 */
export function asAppError(err: unknown): AppError | null {
  if (err instanceof AppError) return err
  if (!(err instanceof Error)) return null
  const code = databaseCodeOf(err)
  if (BAD_VALUE_STATES.has(code)) return badRequest('A value is out of range')
  const isUnavailable =
    UNREACHABLE_CODES.has(code) ||
    ENDED_STATES.has(code) ||
    isUnavailableFailure({ code, message: err.message }) ||
    UNAVAILABLE_WORDS.test(err.message) ||
    // The S3 client's timeout has no code.
    err.name === 'TimeoutError'
  if (isUnavailable) return new AppError('SERVICE_UNAVAILABLE', { cause: err })
  return err.cause === undefined ? null : asAppError(err.cause)
}

/** PostgreSQL's code if there is one, also inside a Prisma error; otherwise the error's own. */
export function databaseCodeOf(err: Error): string {
  const { code, meta } = err as { code?: unknown; meta?: PrismaMeta }
  const origin = meta?.driverAdapterError?.cause?.originalCode
  if (typeof origin === 'string') return origin
  return typeof code === 'string' ? code : ''
}

interface PrismaMeta {
  readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: unknown } }
}

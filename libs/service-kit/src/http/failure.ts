import { AppError, badRequest } from '@tms/contracts'
import { isUnavailableFailure } from '../postgres/unavailable.ts'

/** PostgreSQL's word for a number that no column holds, or text that it cannot store: the request's fault. */
const BAD_VALUE_STATES = new Set(['22003', '22021', '22P05'])

const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  // Prisma's words for: not reachable, timed out, closed, no connection free, no transaction begun in time.
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
])

/** PostgreSQL's and RabbitMQ's clients', Redis' client's, and those of a Redis Cluster of which a part is away. */
const UNAVAILABLE_WORDS =
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|Connection is closed|max retries per request|Command timed out|Stream isn't writeable|^CLUSTERDOWN|^LOADING|^READONLY|^MASTERDOWN|Cluster isn't ready|Cluster is ended|Too many Cluster redirections/i

/** PostgreSQL has ended one of two transactions that waited for each other, or a statement that took longer than any may. */
const ENDED_STATES = new Set(['40P01', '57014'])

/**
 * Turns whatever a handler threw into the error to answer, or null for a defect that must be logged and
 * answered as INTERNAL. A dependency that is away becomes SERVICE_UNAVAILABLE.
 */
export function asAppError(err: unknown): AppError | null {
  if (err instanceof AppError) return err
  if (!(err instanceof Error)) return null
  const code = codeOf(err)
  if (BAD_VALUE_STATES.has(code)) return badRequest('A value is out of range')
  const isUnavailable =
    UNREACHABLE_CODES.has(code) ||
    ENDED_STATES.has(code) ||
    isUnavailableFailure({ code, message: err.message }) ||
    UNAVAILABLE_WORDS.test(err.message) ||
    // Of the client of S3, without a code.
    err.name === 'TimeoutError'
  if (isUnavailable) return new AppError('SERVICE_UNAVAILABLE', { cause: err })
  return err.cause === undefined ? null : asAppError(err.cause)
}

/** PostgreSQL's code if there is one, also inside an error of Prisma; else the error's own. */
function codeOf(err: Error): string {
  const { code, meta } = err as { code?: unknown; meta?: PrismaMeta }
  const origin = meta?.driverAdapterError?.cause?.originalCode
  if (typeof origin === 'string') return origin
  return typeof code === 'string' ? code : ''
}

interface PrismaMeta {
  readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: unknown } }
}

import { ApiError, NoAnswerError } from './errors.ts'
import { rootCauseOf } from './root-cause.ts'

/** Short, since most failures are a process being replaced; each next wait is twice as long. */
const FIRST_DELAY_MS = 250
/** A server that is down for an hour must be found back soon after. */
const LONGEST_DELAY_MS = 30_000
/** What a proxy answers whose server isn't there yet, or a server to too many who come at once. */
const STARTING_STATUSES = [429, 502, 503, 504]
/**
 * Nobody listens, or somebody who has nobody to pass it to, or the host isn't there yet, and with it its name; null is any
 * failure where the platform tells none.
 */
const STARTING_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  null,
]

/** How long to wait before attempt number `attempt` + 1, the first being 1: by chance, so that not all come at once. */
export function backoffMs(attempt: number): number {
  const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1))
  return longest * (0.5 + Math.random() / 2)
}

/** Whether a server that is about to come fails so. */
export function isOfServerThatStarts(err: unknown): boolean {
  if (!(err instanceof ApiError || err instanceof NoAnswerError)) return false
  return err.status === null
    ? STARTING_CODES.includes(rootCauseOf(err).code)
    : STARTING_STATUSES.includes(err.status)
}

/**
 * How long to wait before a call that failed is tried again, `leftMs` at most; null where that is of no use, or might do
 * twice what was to be done once. A call that was refused for its rate has done nothing.
 */
export function retryDelayMs(
  err: unknown,
  attempt: number,
  isRepeatable: boolean,
  leftMs = Number.POSITIVE_INFINITY,
): number | null {
  if (!(err instanceof ApiError || err instanceof NoAnswerError)) return null
  const isRefusedForRate = err.status === 429
  const isPassing = err instanceof NoAnswerError || err.status >= 500
  if (!isRefusedForRate && !(isPassing && isRepeatable)) return null
  const leastMs = (err.retryAfterSeconds ?? 0) * 1_000
  return leastMs < leftMs ? Math.min(leftMs, Math.max(backoffMs(attempt), leastMs)) : null
}

import { ApiError, NoAnswerError } from './errors.ts'
import { findRootCause } from './root-cause.ts'

/** Short, since most failures are a process that is being replaced. Each further delay doubles. */
const FIRST_DELAY_MS = 250
/** Limits the delay, so that a client reconnects soon after a long outage. */
const LONGEST_DELAY_MS = 30_000
/** Answers of a proxy whose server doesn't run yet, or of a server with too many clients at once. */
const STARTING_STATUSES = [429, 502, 503, 504]
/**
 * Nobody listens at the address, a proxy has no server, or the host or its name doesn't exist yet. Null: the platform gives
 * no code, as browsers.
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

/** How long to wait after attempt number `attempt`, from 1 on; random, so that clients don't retry at the same time. */
export function backoffMs(attempt: number): number {
  const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1))
  return longest * (0.5 + Math.random() / 2)
}

/** Whether the error looks like a server that is starting. */
export function isServerStarting(err: unknown): boolean {
  if (!(err instanceof ApiError || err instanceof NoAnswerError)) return false
  return err.status === null
    ? STARTING_CODES.includes(findRootCause(err).code)
    : STARTING_STATUSES.includes(err.status)
}

/**
 * How long to wait before a failed call is retried, at most `leftMs`; null if a retry is of no use or unsafe. A call that
 * hit the rate limit had no effect, so repeating it is always safe.
 */
export function retryDelayMs(
  err: unknown,
  attempt: number,
  isSafeToRepeat: boolean,
  leftMs = Number.POSITIVE_INFINITY,
): number | null {
  if (!(err instanceof ApiError || err instanceof NoAnswerError)) return null
  const isRateLimited = err.status === 429
  const isTransient = err instanceof NoAnswerError || err.status >= 500
  if (!isRateLimited && !(isTransient && isSafeToRepeat)) return null
  const minMs = (err.retryAfterSeconds ?? 0) * 1_000
  return minMs < leftMs ? Math.min(leftMs, Math.max(backoffMs(attempt), minMs)) : null
}

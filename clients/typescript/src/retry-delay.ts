import { ApiError, NoAnswerError } from './errors.ts'

/** Short, since most failures are a process being replaced; each next wait is twice as long. */
const FIRST_DELAY_MS = 250
/** A server that is down for an hour must be found back soon after. */
const LONGEST_DELAY_MS = 30_000
/** How long to wait before attempt number `attempt` + 1, the first being 1: by chance, so that not all come at once. */
export function backoffMs(attempt: number): number {
  const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1))
  return longest * (0.5 + Math.random() / 2)
}

/**
 * How long to wait before a call that failed is tried again; null where that is of no use, or might do twice what was
 * to be done once. A call that was refused for its rate has done nothing.
 */
export function retryDelayMs(err: unknown, attempt: number, isRepeatable: boolean): number | null {
  if (!(err instanceof ApiError || err instanceof NoAnswerError)) return null
  const isRefusedForRate = err.status === 429
  const isPassing = err instanceof NoAnswerError || err.status >= 500
  if (!isRefusedForRate && !(isPassing && isRepeatable)) return null
  return Math.max(backoffMs(attempt), (err.retryAfterSeconds ?? 0) * 1_000)
}

/** A caller's state in its rate limit. */
export interface LimitState {
  /** Names and values in turn. */
  readonly headers: readonly string[]
  /** If the call is refused: milliseconds until it wouldn't be. */
  readonly retryAfterMs: number | null
  /** Calls in a minute; 0 if nothing was counted. */
  readonly limit: number
}

/** The result of counting a call. `remainingPoints` is 0 both for the last allowed call and for a refused one. */
interface CountedCall {
  readonly consumedPoints: number
  readonly remainingPoints: number
  readonly msBeforeNext: number
}

const UNLIMITED: LimitState = { headers: [], retryAfterMs: null, limit: 0 }

/** Headers for a counted call; none if nothing was counted. */
export function limitHeadersOf(counted: CountedCall | null, limit: number, nowMs: number): LimitState {
  if (counted === null) return UNLIMITED
  const resetAtSeconds = Math.ceil((nowMs + counted.msBeforeNext) / 1000)
  // A refusal from the library's own memory has no count.
  const isRefused = counted.consumedPoints > limit || counted.consumedPoints === 0
  return {
    headers: [
      ...['x-ratelimit-limit', String(limit)],
      ...['x-ratelimit-remaining', String(counted.remainingPoints)],
      ...['x-ratelimit-reset', String(resetAtSeconds)],
    ],
    retryAfterMs: isRefused ? counted.msBeforeNext : null,
    limit,
  }
}

/** Where a caller stands. */
export interface LimitState {
  /** Names and values in turn. */
  readonly headers: readonly string[]
  /** When the call is refused: milliseconds until it wouldn't be. */
  readonly retryAfterMs: number | null
}

/** What counting a call gave. `isRefused` can't be told from `remainingPoints`, which is 0 for the last one allowed. */
interface CountedCall {
  readonly consumedPoints: number
  readonly remainingPoints: number
  readonly msBeforeNext: number
}

const UNLIMITED: LimitState = { headers: [], retryAfterMs: null }

/** Headers for a counted call; none when nothing was counted. */
export function limitHeadersOf(counted: CountedCall | null, limit: number, nowMs: number): LimitState {
  if (counted === null) return UNLIMITED
  const resetAtSeconds = Math.ceil((nowMs + counted.msBeforeNext) / 1000)
  // The library gives a refusal from its own memory no count.
  const isRefused = counted.consumedPoints > limit || counted.consumedPoints === 0
  return {
    headers: [
      ...['x-ratelimit-limit', String(limit)],
      ...['x-ratelimit-remaining', String(counted.remainingPoints)],
      ...['x-ratelimit-reset', String(resetAtSeconds)],
    ],
    retryAfterMs: isRefused ? counted.msBeforeNext : null,
  }
}

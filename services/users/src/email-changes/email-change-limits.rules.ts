/** Requests per user; more would let anyone send mails to other people's addresses. */
const LIMITS = [
  { max: 2, seconds: 3_600 },
  { max: 5, seconds: 86_400 },
] as const

/** Seconds until another request is allowed, by the ages of the last day's requests; 0 if now. */
export function secondsToNextRequest(agesInSeconds: readonly number[]): number {
  const latestFirst = [...agesInSeconds].sort((a, b) => a - b)
  const waits = LIMITS.map(({ max, seconds }) => {
    const oldestThatCounts = latestFirst[max - 1]
    return oldestThatCounts === undefined ? 0 : Math.max(0, seconds - oldestThatCounts)
  })
  return Math.max(...waits)
}

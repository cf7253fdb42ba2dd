/** How often one person may ask for another address; more would make the server send mails to strangers. */
const LIMITS = [
  { max: 2, seconds: 3_600 },
  { max: 5, seconds: 86_400 },
] as const

/** Seconds until one more request is allowed, from how long ago those of the last day were; 0 for at once. */
export function secondsToNextRequest(agesInSeconds: readonly number[]): number {
  const latestFirst = [...agesInSeconds].sort((a, b) => a - b)
  const waits = LIMITS.map(({ max, seconds }) => {
    const oldestThatCounts = latestFirst[max - 1]
    return oldestThatCounts === undefined ? 0 : Math.max(0, seconds - oldestThatCounts)
  })
  return Math.max(...waits)
}

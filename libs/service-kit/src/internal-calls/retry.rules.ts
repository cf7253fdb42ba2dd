/**
 * Pauses before another round when every address has failed. One address may stand for many processes (a Kubernetes
 * service), and a restarting process is unavailable for a moment.
 */
const SECOND_ROUND_PAUSES_MS = [100, 400] as const

/** Milliseconds to wait before the next attempt: 0 while there are untried addresses. Null when it is time to give up. */
export function pauseBeforeAttempt(attemptsMade: number, replicaCount: number): number | null {
  if (attemptsMade < replicaCount) return 0
  return SECOND_ROUND_PAUSES_MS[attemptsMade - replicaCount] ?? null
}

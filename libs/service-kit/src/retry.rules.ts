/**
 * Pauses before going round again when every address has failed. One address may stand for many processes
 * (a Kubernetes service), and a process that restarts is away for a moment.
 */
const SECOND_ROUND_PAUSES_MS = [100, 400] as const

/**
 * Milliseconds to wait before the next attempt: none while there are addresses that weren't tried. Null when
 * it is time to give up.
 */
export function pauseBeforeAttempt(attemptsMade: number, replicaCount: number): number | null {
  if (attemptsMade < replicaCount) return 0
  return SECOND_ROUND_PAUSES_MS[attemptsMade - replicaCount] ?? null
}

const FIRST_DELAY_MS = 2_000
/** Longer ones would delay notifications for long after a service is back. */
const MAX_DELAY_MS = 300_000

/** How long a delivery waits that has failed so often before; not less than what the service asks for. */
export const retryDelayMs = (failures: number, afterMs: number | null): number =>
  Math.max(afterMs ?? 0, Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures, 20)))

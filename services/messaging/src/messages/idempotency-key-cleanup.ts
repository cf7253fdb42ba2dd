import { type Logger, type Loop, type Pool, startLoop } from '@tms/service-kit'
import { deleteIdempotencyKeys } from './idempotency-key.queries.ts'
import { KEY_LIFETIME_SECONDS } from './idempotency-key.rules.ts'

const KEY_LIFETIME_MS = KEY_LIFETIME_SECONDS * 1_000
const BATCH = 5_000
const PAUSE_MS = 600_000
const RETRY_MS = 60_000

/** Deletes expired idempotency keys. Any number of replicas may do it at once. */
export function startIdempotencyKeyCleanup(db: Pool, now: () => Date, log: Logger): Loop {
  return startLoop({
    name: 'idempotency key cleanup',
    log,
    retryMs: RETRY_MS,
    round: async (signal) => {
      const before = new Date(now().getTime() - KEY_LIFETIME_MS)
      while (!signal.aborted && (await deleteIdempotencyKeys(db, before, BATCH)) === BATCH) {}
      return PAUSE_MS
    },
  })
}

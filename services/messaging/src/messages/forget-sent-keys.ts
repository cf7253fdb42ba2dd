import { type Logger, type Loop, type Pool, startLoop } from '@tms/service-kit'
import { KEY_LASTS_SECONDS } from './send-key.rules.ts'
import { forgetSent } from './sent-keys.queries.ts'

const KEPT_MS = KEY_LASTS_SECONDS * 1_000
const BATCH = 5_000
const PAUSE_MS = 600_000
const RETRY_MS = 60_000

/** Forgets sends that nobody will try again; any number of replicas may do it at once. */
export function startForgettingSentKeys(db: Pool, now: () => Date, log: Logger): Loop {
  return startLoop({
    name: 'forgetting sent keys',
    log,
    retryMs: RETRY_MS,
    round: async (signal) => {
      const before = new Date(now().getTime() - KEPT_MS)
      while (!signal.aborted && (await forgetSent(db, before, BATCH)) === BATCH) {}
      return PAUSE_MS
    },
  })
}

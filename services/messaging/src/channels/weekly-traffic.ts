import { type Logger, type Loop, type Pool, startLoop } from '@tms/service-kit'
import { countTraffic } from './weekly-traffic.queries.ts'

const DAY_MS = 86_400_000
const WINDOW_DAYS = 28
/** The value is an average over weeks, so counting more often would make no difference. */
const RECOUNT_MS = 6 * 3_600_000

/**
 * Counts the weekly messages of each channel periodically, because counting for each request is too expensive.
 */
export function startTrafficCounter(db: Pool, log: Logger): Loop {
  return startLoop({
    name: 'traffic counter',
    log,
    retryMs: 60_000,
    round: async () => {
      await countTraffic(db, new Date(Date.now() - WINDOW_DAYS * DAY_MS), WINDOW_DAYS)
      return RECOUNT_MS
    },
  })
}

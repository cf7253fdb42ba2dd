import { type Logger, type Loop, type Pool, startLoop } from '@tms/service-kit'
import { countTraffic, findTimeOfMessageAt } from './weekly-traffic.queries.ts'

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
      const fromId = await findFirstIdSince(db, new Date(Date.now() - WINDOW_DAYS * DAY_MS))
      if (fromId !== null) await countTraffic(db, fromId, WINDOW_DAYS)
      return RECOUNT_MS
    },
  })
}

/**
 * Finds the first message sent at or after a time. IDs grow with time, so a binary search finds it in a few dozen
 * queries, without an index on the time that every send would have to maintain.
 */
async function findFirstIdSince(db: Pool, since: Date): Promise<number | null> {
  let low = 0
  let high = 2 ** 53
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const at = await findTimeOfMessageAt(db, middle)
    if (at === null || at.sentAt >= since) high = middle
    else low = at.id + 1
  }
  return (await findTimeOfMessageAt(db, low)) === null ? null : low
}

import { type Logger, type Loop, type Pool, startLoop } from '@tms/service-kit'
import { countTraffic, findTimeOfMessageAt } from './weekly-traffic.queries.ts'

const DAY_MS = 86_400_000
const WINDOW_DAYS = 28
/** The figure is an average over weeks: counting more often would cost without telling more. */
const RECOUNT_MS = 6 * 3_600_000

/** Counts now and then how many messages each channel gets in a week; doing it for each request costs too much. */
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
 * The first message sent at or after a time. IDs grow with time, so it is found by halving in a few dozen
 * look-ups, and no index on the time has to be kept by every send.
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

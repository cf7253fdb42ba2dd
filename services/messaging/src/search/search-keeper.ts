import { type Logger, type Loop, type Pool, startLoop } from '@tms/service-kit'
import { takeInPending } from './search-index.queries.ts'

/**
 * What is pending is searched entry by entry: too seldom makes searches slow, too often loses what is gained by
 * taking in many at once.
 */
const KEEP_MS = 2_000

/** Takes into the indexes of search what sends have only appended, so that no send ever has to. */
export function startSearchKeeper(db: Pool, log: Logger): Loop {
  return startLoop({
    name: 'search keeper',
    log,
    retryMs: 10_000,
    round: async () => {
      await takeInPending(db)
      return KEEP_MS
    },
  })
}

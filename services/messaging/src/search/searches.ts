import type { Pool, Queryable } from '@tms/service-kit'
import { createFairTurns } from '../fair-turns.ts'
import { lookInTime } from './look-in-time.queries.ts'

/** Looks through messages in what time and connections there are for it. */
export interface Searches {
  /**
   * `look` may use its connection only until it returns. One user's looks are one after the other. Throws BAD_NARROW
   * for what takes too long, and SERVICE_UNAVAILABLE where too many look.
   */
  run<T>(userId: number, look: (db: Queryable) => Promise<T>): Promise<T>
}

/** Of a replica's connections, so that sends and fetches find one whatever is searched for. */
const SHARE = 1 / 3
/** The slowest usual searches take a hundredth of it. With waiting and a last statement it stays below the gateway's 30 s. */
const TIMEOUT_MS = 5_000
/** Too small refuses what would only have taken longer; too large, and clients have given up when they are answered. */
const MAX_WAIT_MS = 10_000
const MAX_WAITING = 500

const TOO_SLOW = 'This search takes too long; name a channel or a sender, or search for longer words'

/** `connections` is how many `pool` has. */
export function createSearches(pool: Pool, connections: number): Searches {
  const takeTurn = createFairTurns({
    maxAtOnce: Math.max(1, Math.floor(connections * SHARE)),
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
    refusal: 'Too much is searched for at once; try again shortly',
  })
  return {
    run: (userId, look) => takeTurn(userId, () => lookInTime(pool, TIMEOUT_MS, TOO_SLOW, look)),
  }
}

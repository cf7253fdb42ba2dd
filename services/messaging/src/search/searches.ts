import type { Pool } from '@tms/service-kit'
import { createFairQueue } from '../kernel/concurrency/fair-queue.ts'
import type { Searches } from '../kernel/context.ts'
import { runWithTimeLimit } from './time-limit.queries.ts'

/** Share of a replica's connections, so that sends and fetches find one regardless of searches. */
const SHARE = 1 / 3

/** A hundred times the slowest usual search. With waiting and a last statement it is below the gateway's 30 s. */
const TIMEOUT_MS = 5_000

/** Too small rejects searches that would only have taken longer; too large answers clients that have given up. */
const MAX_WAIT_MS = 10_000

const MAX_WAITING = 500

const TOO_SLOW = 'This search takes too long; name a channel or a sender, or search for longer words'

/** `connections` is the size of `pool`. */
export function createSearches(pool: Pool, connections: number): Searches {
  const takeTurn = createFairQueue({
    maxAtOnce: Math.max(1, Math.floor(connections * SHARE)),
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
    refusal: 'Too much is searched for at once; try again shortly',
  })
  return {
    run: (userId, read) => takeTurn(userId, () => runWithTimeLimit(pool, TIMEOUT_MS, TOO_SLOW, read)),
  }
}

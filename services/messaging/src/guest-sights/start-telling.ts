import { internal } from '@tms/contracts'
import {
  type InternalClient,
  inTransaction,
  type Logger,
  type Loop,
  type Pool,
  startLoop,
} from '@tms/service-kit'
import { claimTelling, deleteToldChanges, hasUntoldChanges, listUntoldChanges } from './untold.queries.ts'

const BATCH_SIZE = 20
/** What another replica committed waits this long; asking more often costs an idle installation for nothing. */
const PAUSE_MS = 250
/** A change may concern as many as 20,000 pairs of people. */
const CALL_TIMEOUT_MS = 15_000

/**
 * Tells users whom guests see, change by change in the order in which they were made, until it has taken each: it knows
 * by their numbers which it has. Wake it after a commit that changed something.
 */
export function startTellingSights(options: { db: Pool; call: InternalClient; log: Logger }): Loop {
  const { db, call, log } = options
  const tellSome = () =>
    inTransaction(db, async (tx) => {
      if (!(await claimTelling(tx))) return 0
      const changes = await listUntoldChanges(tx, BATCH_SIZE)
      if (changes.length === 0) return 0
      for (const { realmId, number, requestId, change } of changes) {
        const body = { realm_id: realmId, number, request_id: requestId, change }
        await call(internal.users.keepGuestSights, body, { timeoutMs: CALL_TIMEOUT_MS })
      }
      await deleteToldChanges(
        tx,
        changes.map(({ number }) => number),
      )
      return changes.length
    })
  return startLoop({
    name: 'telling of guests’ sight',
    log,
    retryMs: 1_000,
    round: async () => {
      if (!(await hasUntoldChanges(db))) return PAUSE_MS
      return (await tellSome()) === BATCH_SIZE ? 0 : PAUSE_MS
    },
  })
}

import { setTimeout as sleep } from 'node:timers/promises'
import { findLogEnd } from '../log/find-log-end.ts'
import type { Context } from './context.ts'

/** Longer than owners take to reload partitions and read the log from their offsets. */
const REFILL_MS = 10_000
const REFILL_CHECK_MS = 50

/**
 * Returns a function for a queue that is missing at its partition's offset. It returns true after a short wait if the queue may
 * still appear, else false. When Redis has just come back without its last second, partitions are refilled from the log, so a
 * queue of that second isn't deleted, only not restored yet. The refill counts as complete at the end that the log had at the
 * first call; this replica itself may have read less of the log. Throws SERVICE_UNAVAILABLE if the end can't be found.
 */
export function createRefillWait({
  store,
  logTail,
  now,
}: Pick<Context, 'store' | 'logTail' | 'now'>): (committedOffset: number | null) => Promise<boolean> {
  let end: number | null = null
  return async (committedOffset) => {
    if (now() - store.connectedAt() >= REFILL_MS) return false
    end ??= await findLogEnd(logTail)
    if ((committedOffset ?? -1) >= end) return false
    await sleep(REFILL_CHECK_MS)
    return true
  }
}

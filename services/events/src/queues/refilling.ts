import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { findLogEnd } from './find-log-end.ts'

/** Longer than owners take to load partitions afresh and read the log from there. */
const REFILL_MS = 10_000
const REFILL_LOOK_MS = 50

/**
 * Tells of a queue that isn't there, and of where its partition stands, whether it may be there in a moment, which is waited
 * for: of a Redis that has just come back without its last second, partitions are filled from the log, and a queue of that
 * second is not gone, only not there yet. Up to where the log reached when that was asked first: this replica may have read
 * less of it, or nothing yet. Throws SERVICE_UNAVAILABLE while that can't be told.
 */
export function awaitRefill({
  store,
  feed,
  now,
}: Pick<Context, 'store' | 'feed' | 'now'>): (committedOffset: number | null) => Promise<boolean> {
  let end: number | null = null
  return async (committedOffset) => {
    if (now() - store.connectedAt() >= REFILL_MS) return false
    end ??= await findLogEnd(feed)
    if ((committedOffset ?? -1) >= end) return false
    await sleep(REFILL_LOOK_MS)
    return true
  }
}

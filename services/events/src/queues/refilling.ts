import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'

/** Longer than owners take to load partitions afresh and read the log from there. */
const REFILL_MS = 10_000
const REFILL_LOOK_MS = 50

/**
 * Whether a queue that isn't there may be there in a moment, which is waited for: of a Redis that has just come back without
 * its last second, partitions are filled from the log, and a queue of that second is not gone, only not there yet.
 */
export async function waitForRefill(
  { store, feed, now }: Context,
  committedOffset: number | null,
): Promise<boolean> {
  if (now() - store.connectedAt() >= REFILL_MS || (committedOffset ?? -1) >= (feed.end() ?? -1)) return false
  await sleep(REFILL_LOOK_MS)
  return true
}

import type { Queryable } from '@tms/service-kit'
import { findTimeOfMessageAt } from './weekly-traffic.queries.ts'

/**
 * Finds the first message sent at or after a time. IDs grow with time, so a binary search finds it in a few dozen
 * queries, without an index on the time that every send would have to maintain.
 */
export async function findFirstIdSince(db: Queryable, since: Date): Promise<number | null> {
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

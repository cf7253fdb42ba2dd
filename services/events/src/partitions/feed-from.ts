import type { LogTail } from '../log/log-tail.ts'
import type { Partition } from './partition.ts'

type Fed = Pick<Partition, 'committed' | 'positions' | 'offer'>

/**
 * Sees to it that partitions which were just taken get the log from where they stand, the `lowest` of them included. The
 * feed never goes forward for that: what was taken before may stand further behind, and wait for it.
 */
export function feedFrom(feed: LogTail, lowest: Fed, taken: readonly Fed[]): void {
  const { recent } = feed
  const wanted = lowest.committed.offset + 1
  if (!feed.isAnchored()) return feed.rewind(lowest.committed, lowest.positions)
  // Yet to be read.
  if (wanted >= (feed.next() ?? 0)) return
  if (recent.firstOffset === null || wanted < recent.firstOffset)
    return feed.rewind(lowest.committed, lowest.positions)
  for (const partition of taken)
    partition.offer(recent.between(partition.committed.offset, (recent.lastOffset ?? -1) + 1) ?? [])
}

import type { LogTail } from '../log/log-tail.ts'
import type { Partition } from './partition.ts'

type AcquiredPartition = Pick<Partition, 'committed' | 'positions' | 'offer'>

/**
 * Gives newly acquired partitions the log from their committed offsets on; `lowest` is the one that is furthest behind. Never
 * moves the log tail forward: partitions acquired earlier may be further behind and still need the entries in between.
 */
export function catchUpPartitions(
  logTail: LogTail,
  lowest: AcquiredPartition,
  acquired: readonly AcquiredPartition[],
): void {
  const { recent } = logTail
  const wanted = lowest.committed.offset + 1
  if (!logTail.isAnchored()) return logTail.rewind(lowest.committed, lowest.positions)
  // The log tail has yet to read it.
  if (wanted >= (logTail.next() ?? 0)) return
  if (recent.firstOffset === null || wanted < recent.firstOffset)
    return logTail.rewind(lowest.committed, lowest.positions)
  for (const partition of acquired)
    partition.offer(recent.between(partition.committed.offset, (recent.lastOffset ?? -1) + 1) ?? [])
}

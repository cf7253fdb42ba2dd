import type { Pair } from './subscription.queries.ts'

/** Groups items by channel; the order within a group is kept. */
export function groupByChannel<T extends Pair>(pairs: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const pair of pairs) {
    const group = groups.get(pair.channelId)
    if (group) group.push(pair)
    else groups.set(pair.channelId, [pair])
  }
  return groups
}

import type { Pair } from './subscription.queries.ts'

/** What belongs to each channel, in the order given. */
export function groupByChannel<T extends Pair>(pairs: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const pair of pairs) {
    const group = groups.get(pair.channelId)
    if (group) group.push(pair)
    else groups.set(pair.channelId, [pair])
  }
  return groups
}

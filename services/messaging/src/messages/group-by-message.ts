/** Groups items by message; the order within a group is kept. */
export function groupByMessage<T>(items: readonly T[], messageIdOf: (item: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const item of items) {
    const messageId = messageIdOf(item)
    const group = groups.get(messageId)
    if (group) group.push(item)
    else groups.set(messageId, [item])
  }
  return groups
}

/** Lists by message, each in the order given. */
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

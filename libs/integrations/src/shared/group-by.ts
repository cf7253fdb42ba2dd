/** Items with the same key together, in the order of their first. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): (readonly T[])[] {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return [...groups.values()]
}

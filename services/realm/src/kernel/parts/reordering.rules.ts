/** Whether `wanted` has each ID of `present` once and no other. */
export function isReordering(present: readonly number[], wanted: readonly number[]): boolean {
  const ids = new Set(wanted)
  return ids.size === wanted.length && ids.size === present.length && present.every((id) => ids.has(id))
}

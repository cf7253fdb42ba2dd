import type { Effects } from '../kernel/effects/effects.ts'

/**
 * The channels whose names may have changed for owners of bots, and for which owners: null is all of them. Null if
 * there are no such channels.
 */
export function namesToUpdate({
  archivedChannelIds,
  changedChannelIds,
  visibilityChanges,
}: Effects): { stream_ids: number[]; user_ids: number[] | null } | null {
  const forEveryone = [...archivedChannelIds, ...changedChannelIds]
  const stream_ids = [...new Set([...forEveryone, ...visibilityChanges.map(({ channelId }) => channelId)])]
  if (stream_ids.length === 0) return null
  const user_ids = [...new Set(visibilityChanges.map(({ userId }) => userId))]
  return { stream_ids, user_ids: forEveryone.length > 0 ? null : user_ids }
}

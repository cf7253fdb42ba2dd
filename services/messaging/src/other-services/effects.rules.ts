import { canSeeUnsubscribed } from '@tms/contracts'
import type { Channel } from '../channels/channel.queries.ts'
import type { Pair } from '../subscriptions/subscription.queries.ts'
import type { Effects } from './effects.ts'

/** Those of the pairs whose user sees the channel only while subscribed to it. */
export function visibilityChangesOf(
  pairs: readonly Pair[],
  channels: readonly Pick<Channel, 'id' | 'inviteOnly' | 'isWebPublic'>[],
  users: readonly { readonly user_id: number; readonly role: number }[],
): Pair[] {
  const channelsById = new Map(channels.map((channel) => [channel.id, channel]))
  const roles = new Map(users.map(({ user_id, role }) => [user_id, role]))
  return pairs.filter(({ channelId, userId }) => {
    const channel = channelsById.get(channelId)
    const role = roles.get(userId)
    if (channel === undefined || role === undefined) return true
    return !canSeeUnsubscribed(role, { invite_only: channel.inviteOnly, is_web_public: channel.isWebPublic })
  })
}

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

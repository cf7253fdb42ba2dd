import { canSeeUnsubscribed } from '@tms/contracts'
import type { Channel } from '../kernel/channels/channel.queries.ts'
import type { ChannelMember } from '../kernel/subscriptions/subscription.queries.ts'

/** Those of the pairs whose user sees the channel only while subscribed to it. */
export function visibilityChangesOf(
  pairs: readonly ChannelMember[],
  channels: readonly Pick<Channel, 'id' | 'inviteOnly' | 'isWebPublic'>[],
  users: readonly { readonly user_id: number; readonly role: number }[],
): ChannelMember[] {
  const channelsById = new Map(channels.map((channel) => [channel.id, channel]))
  const roles = new Map(users.map(({ user_id, role }) => [user_id, role]))
  return pairs.filter(({ channelId, userId }) => {
    const channel = channelsById.get(channelId)
    const role = roles.get(userId)
    if (channel === undefined || role === undefined) return true
    return !canSeeUnsubscribed(role, { invite_only: channel.inviteOnly, is_web_public: channel.isWebPublic })
  })
}

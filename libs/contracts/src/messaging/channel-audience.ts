import { canSeeDefaultChannels, canSeeUnsubscribed } from '../access/channel-rules.ts'
import type { Audience } from '../declarations/domain-event.ts'
import { Role } from '../permissions/role.ts'
import type { ChannelGrantees, ChannelRecord } from './records.ts'

/**
 * Users who can see the subscribers of a channel: those whose role or permission suffices, and the subscribers. `viewers`: who
 * sees it by a permission; nobody if it is left out.
 */
export function viewersOf(channel: ChannelRecord, viewers?: ChannelGrantees): Audience {
  const subscribers = { kind: 'channel', channelId: channel.stream_id } as const
  return [subscribers, ...unsubscribedViewersOf(channel, viewers)]
}

/** Users who can see a channel by their role or a permission alone. */
export function unsubscribedViewersOf(channel: ChannelRecord, viewers?: ChannelGrantees): Audience {
  const byRole = rolesWith((role) => canSeeUnsubscribed(role, channel, role <= (viewers?.role_at_most ?? 0)))
  const userIds = viewers?.user_ids ?? []
  return userIds.length > 0 ? [...byRole, { kind: 'users', userIds }] : byRole
}

/** Users who see which channels are the default ones. */
export const defaultChannelViewers = (): Audience => rolesWith(canSeeDefaultChannels)

/** Users whose role allows something that all more powerful roles may do too. */
function rolesWith(mayDo: (role: Role) => boolean): Audience {
  const roleAtMost = Object.values(Role).findLast(mayDo)
  if (roleAtMost === undefined) return []
  return [roleAtMost === Role.guest ? { kind: 'realm' } : { kind: 'realm', roleAtMost }]
}

import { canSeeDefaultChannels, canSeeUnsubscribed } from '../access/channel-rules.ts'
import type { Audience } from '../declarations/domain-event.ts'
import { Role } from '../permissions/role.ts'
import type { ChannelRecord } from './records.ts'

/** Users who can see the subscribers of a channel: those whose role suffices, and the subscribers. */
export function viewersOf(channel: ChannelRecord): Audience {
  const subscribers = { kind: 'channel', channelId: channel.stream_id } as const
  return [subscribers, ...roleViewersOf(channel)]
}

/** Users who can see a channel by their role alone. */
export const roleViewersOf = (channel: ChannelRecord): Audience =>
  rolesWith((role) => canSeeUnsubscribed(role, channel))

/** Users who see which channels are the default ones. */
export const defaultChannelViewers = (): Audience => rolesWith(canSeeDefaultChannels)

/** Users whose role allows something that all more powerful roles may do too. */
function rolesWith(mayDo: (role: Role) => boolean): Audience {
  const roleAtMost = Object.values(Role).findLast(mayDo)
  if (roleAtMost === undefined) return []
  return [roleAtMost === Role.guest ? { kind: 'realm' } : { kind: 'realm', roleAtMost }]
}

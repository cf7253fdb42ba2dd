import type { Audience } from '../declarations/domain-event.ts'
import { Role } from '../permissions/role.ts'
import type { ChannelRecord } from './records.ts'

/** Users who can see the subscribers of a channel: those whose role suffices, and the subscribers. */
export function viewersOf(channel: ChannelRecord): Audience {
  const subscribers = { kind: 'channel', channelId: channel.stream_id } as const
  return [subscribers, ...roleViewersOf(channel)]
}

/** Users who can see a channel by their role alone. */
export function roleViewersOf(channel: ChannelRecord): Audience {
  if (channel.is_web_public) return [{ kind: 'realm' }]
  return [{ kind: 'realm', roleAtMost: channel.invite_only ? Role.administrator : Role.member }]
}

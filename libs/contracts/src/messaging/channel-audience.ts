import { type Audience, Role } from '../domain-event.ts'
import type { ChannelRecord } from './records.ts'

/** Users who see who is subscribed: those whose role suffices, and the subscribers. */
export function viewersOf(channel: ChannelRecord): Audience {
  const subscribers = { kind: 'channel', channelId: channel.stream_id } as const
  return [subscribers, ...seersOf(channel)]
}

/** Users who see a channel by their role alone. */
export function seersOf(channel: ChannelRecord): Audience {
  if (channel.is_web_public) return [{ kind: 'realm' }]
  return [{ kind: 'realm', roleAtMost: channel.invite_only ? Role.administrator : Role.member }]
}

import type { ChannelGrantees, domainEvents, PayloadOf } from '@tms/contracts'
import type { Channel } from '../kernel/channels/channel.queries.ts'

type ChannelAccess = NonNullable<PayloadOf<typeof domainEvents.messaging.messageUpdated>['channel']>

/** Builds the settings of a channel that decide who may read it, as events contain them. `readers`: who reads it by a permission. */
export function toChannelAccess(
  channel: Pick<Channel, 'id' | 'inviteOnly' | 'isWebPublic' | 'historyPublicToSubscribers'>,
  readers?: ChannelGrantees,
): ChannelAccess {
  return {
    ...(readers && { readers }),
    id: channel.id,
    invite_only: channel.inviteOnly,
    is_web_public: channel.isWebPublic,
    shares_history: channel.historyPublicToSubscribers,
  }
}

import type { domainEvents, PayloadOf } from '@tms/contracts'
import type { Channel } from '../kernel/channels/channel.queries.ts'

type ChannelAccess = NonNullable<PayloadOf<typeof domainEvents.messaging.messageUpdated>['channel']>

/** Builds the settings of a channel that decide who may read it, as events contain them. */
export function toChannelAccess(
  channel: Pick<Channel, 'id' | 'inviteOnly' | 'isWebPublic' | 'historyPublicToSubscribers'>,
): ChannelAccess {
  return {
    id: channel.id,
    invite_only: channel.inviteOnly,
    is_web_public: channel.isWebPublic,
    shares_history: channel.historyPublicToSubscribers,
  }
}

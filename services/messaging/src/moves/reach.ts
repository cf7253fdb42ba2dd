import type { domainEvents, PayloadOf } from '@tms/contracts'
import type { Channel } from '../channels/channel.queries.ts'

type Reach = NonNullable<PayloadOf<typeof domainEvents.messaging.messageUpdated>['channel']>

/** Who may read a channel, as events tell it. */
export function reachOf(
  channel: Pick<Channel, 'id' | 'inviteOnly' | 'isWebPublic' | 'historyPublicToSubscribers'>,
): Reach {
  return {
    id: channel.id,
    invite_only: channel.inviteOnly,
    is_web_public: channel.isWebPublic,
    shares_history: channel.historyPublicToSubscribers,
  }
}

import { canAccessUnsubscribed, type domainEvents, type PayloadOf } from '@tms/contracts'
import type { QueueState } from '../kernel/queue-state.ts'

type ChannelAccess = NonNullable<PayloadOf<typeof domainEvents.messaging.messageUpdated>['channel']>

/** Whether a queue's owner may read messages that were moved to a channel. */
export const canReadChannel = ({ channelIds, record }: QueueState, channel: ChannelAccess): boolean =>
  channelIds.has(channel.id) || canAccessUnsubscribed(record.channel_role, channel)

import {
  allows,
  type ChannelRecord,
  canSeeUnsubscribed,
  channelRules,
  type domainEvents,
  type PayloadOf,
} from '@tms/contracts'
import type { QueueState } from '../kernel/queue-state.ts'

type ChannelAccess = NonNullable<PayloadOf<typeof domainEvents.messaging.messageUpdated>['channel']>

const conditionsOf = ({ channelIds, record }: QueueState, channel: ChannelAccess) => ({
  isArchived: false,
  isSubscribed: channelIds.has(channel.id),
  isWebPublic: channel.is_web_public,
  isPrivate: channel.invite_only,
  sharesHistory: channel.shares_history,
  role: record.channel_role,
})

/** Whether a queue's client shows archived channels. */
export const showsArchived = ({ record }: Pick<QueueState, 'record'>): boolean =>
  record.client_capabilities.archived_channels

/** Whether a queue's client shows channels like this one. */
export const isShown = (queue: QueueState, channel: ChannelRecord): boolean =>
  !channel.is_archived || showsArchived(queue)

/** Whether a queue's owner may see a channel, and its client shows it. */
export const canSeeChannel = (queue: QueueState, channel: ChannelRecord): boolean =>
  isShown(queue, channel) &&
  (queue.channelIds.has(channel.stream_id) || canSeeUnsubscribed(queue.record.channel_role, channel))

/** Whether a queue's owner may read messages that are moved to a channel. */
export const canReadChannel = (queue: QueueState, channel: ChannelAccess): boolean =>
  allows(channelRules.access, conditionsOf(queue, channel))

/** Whether a queue's owner may read messages of a channel that they didn't receive. */
export const canReadHistory = (queue: QueueState, channel: ChannelAccess): boolean =>
  allows(channelRules.readHistory, conditionsOf(queue, channel))

import {
  allows,
  type ChannelGrantees,
  type ChannelRecord,
  canSeeUnsubscribed,
  channelRules,
  type domainEvents,
  type PayloadOf,
} from '@tms/contracts'
import type { QueueState } from '../kernel/queue-state.ts'
import { type Cache, cached } from './presentation.ts'

type ChannelAccess = NonNullable<PayloadOf<typeof domainEvents.messaging.messageUpdated>['channel']>

/** Whether a queue's owner has a permission that is given to these. Lists may be long, so they are indexed once for each entry. */
function isAmong({ record }: QueueState, grantees: ChannelGrantees | undefined, cache: Cache): boolean {
  if (grantees === undefined) return false
  if (record.channel_role <= grantees.role_at_most) return true
  const { user_ids } = grantees
  if (user_ids.length < FEW) return user_ids.includes(record.user_id)
  const indexes = cached(cache, 'grantees', () => new Map<ChannelGrantees, ReadonlySet<number>>())
  const index = indexes.get(grantees) ?? new Set(user_ids)
  indexes.set(grantees, index)
  return index.has(record.user_id)
}
/** Users that are searched without an index. */
const FEW = 20

const conditionsOf = (queue: QueueState, channel: ChannelAccess, cache: Cache) => ({
  isArchived: false,
  isSubscribed: queue.channelIds.has(channel.id),
  isViewer: false,
  isReader: isAmong(queue, channel.readers, cache),
  isWebPublic: channel.is_web_public,
  isPrivate: channel.invite_only,
  sharesHistory: channel.shares_history,
  role: queue.record.channel_role,
})

/** Whether a queue's client shows archived channels. */
export const showsArchived = ({ record }: Pick<QueueState, 'record'>): boolean =>
  record.client_capabilities.archived_channels

/** Whether a queue's client shows channels like this one. */
export const isShown = (queue: QueueState, channel: ChannelRecord): boolean =>
  !channel.is_archived || showsArchived(queue)

/** Whether a queue's owner can see a channel without being subscribed. `viewers`: who sees it by a permission. */
export const seesUnsubscribed = (
  queue: QueueState,
  channel: ChannelRecord,
  viewers: ChannelGrantees | undefined,
  cache: Cache,
): boolean => canSeeUnsubscribed(queue.record.channel_role, channel, isAmong(queue, viewers, cache))

/** Whether a queue's owner may see a channel, and its client shows it. `viewers`: who sees it by a permission. */
export const canSeeChannel = (
  queue: QueueState,
  channel: ChannelRecord,
  viewers: ChannelGrantees | undefined,
  cache: Cache,
): boolean =>
  isShown(queue, channel) &&
  (queue.channelIds.has(channel.stream_id) || seesUnsubscribed(queue, channel, viewers, cache))

/** Whether a queue's owner may read messages that are moved to a channel. */
export const canReadChannel = (queue: QueueState, channel: ChannelAccess, cache: Cache): boolean =>
  allows(channelRules.access, conditionsOf(queue, channel, cache))

/** Whether a queue's owner may read messages of a channel that they didn't receive. */
export const canReadHistory = (queue: QueueState, channel: ChannelAccess, cache: Cache): boolean =>
  allows(channelRules.readHistory, conditionsOf(queue, channel, cache))

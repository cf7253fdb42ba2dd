import { type ChannelRecord, domainEvents, type LogEntry, type PayloadOf } from '@tms/contracts'
import { isInState, type QueueState } from '../kernel/queue-state.ts'
import { isShown, showsArchived } from '../rendering/channel-access.ts'
import type { ApplyContext } from './changes.ts'

const { channelArchived, subscribersAdded, subscribersRemoved } = domainEvents.messaging

/** Updates the queues' subscriptions before the entry itself is delivered. */
export function applySubscriptions(entry: LogEntry, context: ApplyContext): void {
  const userIds = subscribedUserIds(entry)
  if (userIds.length === 0) return
  const { channel } = entry.payload as { channel: ChannelRecord }
  const isSubscribed = entry.event === subscribersAdded.name
  for (const userId of userIds) {
    for (const queue of context.queues.ofUser(userId)) {
      if (!isInState(entry, queue) && isShown(queue, channel))
        setSubscribed(queue, channel.stream_id, isSubscribed, context)
    }
  }
}

function subscribedUserIds(entry: LogEntry): readonly number[] {
  if (entry.event === subscribersAdded.name) {
    return (entry.payload as PayloadOf<typeof subscribersAdded>).added.map(({ user_id }) => user_id)
  }
  if (entry.event === subscribersRemoved.name)
    return (entry.payload as PayloadOf<typeof subscribersRemoved>).user_ids
  return []
}

/**
 * Ends all subscriptions of an archived channel, after delivery: subscribers still receive the event. A client that shows
 * archived channels keeps its own.
 */
export function endSubscriptions(entry: LogEntry, context: ApplyContext): void {
  if (entry.event !== channelArchived.name) return
  const { stream_id } = (entry.payload as PayloadOf<typeof channelArchived>).channel
  for (const queue of [...context.queues.ofChannel(stream_id)]) {
    if (!isInState(entry, queue) && !showsArchived(queue)) setSubscribed(queue, stream_id, false, context)
  }
}

function setSubscribed(
  queue: QueueState,
  channelId: number,
  isSubscribed: boolean,
  { queues, changes }: ApplyContext,
): void {
  if (isSubscribed) queues.subscribe(queue, channelId)
  else queues.unsubscribe(queue, channelId)
  changes.subscriptions.push({ queueId: queue.record.queue_id, channelId, isSubscribed })
}

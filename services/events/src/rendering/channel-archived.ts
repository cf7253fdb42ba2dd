import { canSeeUnsubscribed, domainEvents } from '@tms/contracts'
import { cached, fieldsOf, present } from './presentation.ts'

/** `stream` `delete` to everyone who could see the channel. It implies the end of their subscriptions. */
export const presentChannelArchived = present(domainEvents.messaging.channelArchived, {
  list: ({ channel }, queue) => {
    const isVisible =
      queue.channelIds.has(channel.stream_id) || canSeeUnsubscribed(queue.record.channel_role, channel)
    return isVisible ? [{ index: 0, type: 'stream' }] : []
  },
  write: ({ channel }, _index, _queue, cache) =>
    cached(cache, 'stream', () => fieldsOf({ type: 'stream', op: 'delete', streams: [channel] })),
})

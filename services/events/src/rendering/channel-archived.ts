import { canSeeUnsubscribed, domainEvents } from '@tms/contracts'
import { cached, fieldsOf, present } from './presentation.ts'

/** `stream` `delete` to everyone who saw the channel; it ends their subscriptions without further word. */
export const presentChannelArchived = present(domainEvents.messaging.channelArchived, {
  list: ({ channel }, queue) => {
    const isSeen =
      queue.channelIds.has(channel.stream_id) || canSeeUnsubscribed(queue.record.channel_role, channel)
    return isSeen ? [{ index: 0, type: 'stream' }] : []
  },
  write: ({ channel }, _index, _queue, cache) =>
    cached(cache, 'stream', () => fieldsOf({ type: 'stream', op: 'delete', streams: [channel] })),
})

import { domainEvents } from '@tms/contracts'
import { canSeeChannel } from './channel-access.ts'
import { channelLost } from './channel-lost.ts'
import { cached, present } from './presentation.ts'

/** `stream` `delete` to everyone who could see the channel. It implies the end of their subscriptions. */
export const presentChannelArchived = present(domainEvents.messaging.channelArchived, {
  list: ({ channel }, queue) => (canSeeChannel(queue, channel) ? [{ index: 0, type: 'stream' }] : []),
  write: ({ channel }, _index, _queue, cache) => cached(cache, 'stream', () => channelLost(channel)),
})

import { domainEvents } from '@tms/contracts'
import { seesUnsubscribed } from './channel-access.ts'
import { cached, fieldsOf, present } from './presentation.ts'

/** `stream` `create`, to users who can see the channel without being subscribed: not to guests, even if a permission names them. */
export const presentChannelCreated = present(domainEvents.messaging.channelCreated, {
  list: ({ channel, viewers }, queue, cache) =>
    seesUnsubscribed(queue, channel, viewers, cache) ? [{ index: 0, type: 'stream' }] : [],
  write: ({ channel }, _index, _queue, cache) =>
    cached(cache, 'stream', () => fieldsOf({ type: 'stream', op: 'create', streams: [channel] })),
})

import { domainEvents } from '@tms/contracts'
import { cached, fieldsOf, present } from './presentation.ts'

/** `stream` `create`, to users who can see the channel without being subscribed. */
export const presentChannelCreated = present(domainEvents.messaging.channelCreated, {
  list: () => [{ index: 0, type: 'stream' }],
  write: ({ channel }, _index, _queue, cache) =>
    cached(cache, 'stream', () => fieldsOf({ type: 'stream', op: 'create', streams: [channel] })),
})

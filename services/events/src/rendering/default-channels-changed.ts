import { domainEvents } from '@tms/contracts'
import { cached, fieldsOf, present } from './presentation.ts'

export const presentDefaultChannelsChanged = present(domainEvents.messaging.defaultChannelsChanged, {
  list: () => [{ index: 0, type: 'default_streams' }],
  write: ({ channel_ids }, _index, _queue, cache) =>
    cached(cache, 'list', () => fieldsOf({ type: 'default_streams', default_streams: channel_ids })),
})

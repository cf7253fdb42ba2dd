import { canSeeUnsubscribed, domainEvents } from '@tms/contracts'
import { cached, fieldsOf, present } from './presentation.ts'

/**
 * `subscription` `peer_remove` of someone deactivated and `peer_add` of someone who is back, to everyone else who sees
 * the channel. Clients that take a deactivated user out of their lists themselves lose nothing by it; for the others,
 * and for those who registered in between, the lists are right only so.
 */
export const presentSubscriberActivityChanged = present(domainEvents.messaging.subscriberActivityChanged, {
  list: ({ channel, user_id }, { record, channelIds }) => {
    const isSeen = channelIds.has(channel.stream_id) || canSeeUnsubscribed(record.channel_role, channel)
    return isSeen && record.user_id !== user_id ? [{ index: 0, type: 'subscription' }] : []
  },
  write: ({ channel, user_id, is_active }, _index, _queue, cache) =>
    cached(cache, 'peer', () => {
      const op = is_active ? 'peer_add' : 'peer_remove'
      return fieldsOf({ type: 'subscription', op, stream_ids: [channel.stream_id], user_ids: [user_id] })
    }),
})

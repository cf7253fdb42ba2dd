import { domainEvents } from '@tms/contracts'
import { canSeeChannel } from './channel-access.ts'
import { cached, fieldsOf, present } from './presentation.ts'

/**
 * `subscription` `peer_remove` of a deactivated user and `peer_add` of a reactivated one, to everyone else who can see the
 * channel. Clients that update their lists on deactivation themselves aren't harmed. Other clients, and those that registered in
 * between, need it for correct lists.
 */
export const presentSubscriberActivityChanged = present(domainEvents.messaging.subscriberActivityChanged, {
  list: ({ channel, user_id, viewers }, queue, cache) =>
    canSeeChannel(queue, channel, viewers, cache) && queue.record.user_id !== user_id
      ? [{ index: 0, type: 'subscription' }]
      : [],
  write: ({ channel, user_id, is_active }, _index, _queue, cache) =>
    cached(cache, 'peer', () => {
      const op = is_active ? 'peer_add' : 'peer_remove'
      return fieldsOf({ type: 'subscription', op, stream_ids: [channel.stream_id], user_ids: [user_id] })
    }),
})

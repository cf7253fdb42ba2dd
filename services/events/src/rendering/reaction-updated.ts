import { domainEvents } from '@tms/contracts'
import { cached, fieldsOf, present } from './presentation.ts'

/** `reaction`, the same to everyone who is told. `user` is a legacy form of `user_id`. */
export const presentReactionUpdated = present(domainEvents.messaging.reactionUpdated, {
  list: () => [{ index: 0, type: 'reaction' }],
  write: ({ holders: _, user, ...reaction }, _index, _queue, cache) =>
    cached(cache, 'reaction', () => fieldsOf({ type: 'reaction', ...reaction, user_id: user.user_id, user })),
})

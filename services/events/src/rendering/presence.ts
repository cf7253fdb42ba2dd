import { domainEvents } from '@tms/contracts'
import { cached, fieldsOf, present } from './presentation.ts'

/** `user_status`: what changed, to everyone. */
export const presentUserStatusUpdated = present(domainEvents.users.userStatusUpdated, {
  list: () => [{ index: 0, type: 'user_status' }],
  write: ({ user_id, change }, _index, _queue, cache) =>
    cached(cache, 'status', () => fieldsOf({ type: 'user_status', user_id, ...change })),
})

/** `presence`; queues with slim presence get the user ID without the e-mail. */
export const presentPresenceChanged = present(domainEvents.users.presenceChanged, {
  list: () => [{ index: 0, type: 'presence' }],
  write: ({ user_id, email, server_timestamp, presence }, _index, { slim_presence }, cache) =>
    cached(cache, `presence:${slim_presence}`, () =>
      fieldsOf({
        type: 'presence',
        user_id,
        ...(slim_presence ? {} : { email }),
        server_timestamp,
        presence: { [presence.client]: presence },
      }),
    ),
})

import { domainEvents } from '@tms/contracts'
import { cached, fieldsOf, present } from './presentation.ts'

/** `submessage`, the same to all recipients. */
export const presentSubmessageAdded = present(domainEvents.messaging.submessageAdded, {
  list: () => [{ index: 0, type: 'submessage' }],
  write: ({ submessage: { id, ...submessage } }, _index, _queue, cache) =>
    cached(cache, 'submessage', () => fieldsOf({ type: 'submessage', submessage_id: id, ...submessage })),
})

import { domainEvents } from '@tms/contracts'
import { cached, fieldsOf, present } from './presentation.ts'

/** `typing`: in direct conversations for everyone, in channels for clients that can show it. */
export const presentTypingChanged = present(domainEvents.messaging.typingChanged, {
  list: ({ place }, { record }) =>
    'recipients' in place || record.client_capabilities.stream_typing_notifications
      ? [{ index: 0, type: 'typing' }]
      : [],
  write: ({ op, sender, place }, _index, _queue, cache) =>
    cached(cache, 'typing', () => {
      const message_type = 'recipients' in place ? 'direct' : 'stream'
      return fieldsOf({ type: 'typing', op, message_type, sender, ...place })
    }),
})

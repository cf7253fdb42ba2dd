import { domainEvents } from '@tms/contracts'
import { cachedByTopicForm, fieldsOf, present } from './presentation.ts'

/** `typing`: in direct conversations for everyone, in channels for clients that support it. */
export const presentTypingChanged = present(domainEvents.messaging.typingChanged, {
  list: ({ target }, { record }) =>
    'recipients' in target || record.client_capabilities.stream_typing_notifications
      ? [{ index: 0, type: 'typing' }]
      : [],
  write: ({ op, sender, target }, _index, queue, cache) =>
    cachedByTopicForm(cache, 'typing', queue, (nameOf) => {
      const message_type = 'recipients' in target ? 'direct' : 'stream'
      const topic = 'topic' in target ? { topic: nameOf(target.topic) } : {}
      return fieldsOf({ type: 'typing', op, message_type, sender, ...target, ...topic })
    }),
})

/** `typing_edit_message`. */
export const presentEditTypingChanged = present(domainEvents.messaging.editTypingChanged, {
  list: () => [{ index: 0, type: 'typing_edit_message' }],
  write: ({ recipient, ...edited }, _index, queue, cache) =>
    cachedByTopicForm(cache, 'typing_edit_message', queue, (nameOf) => {
      const topic = recipient.type === 'channel' ? { topic: nameOf(recipient.topic) } : {}
      const { op, sender_id, message_id } = edited
      return fieldsOf({
        type: 'typing_edit_message',
        ...{ op, sender_id, message_id },
        recipient: { ...recipient, ...topic },
      })
    }),
})

import { domainEvents } from '@tms/contracts'
import { fieldsOf, present } from './presentation.ts'

const TYPE = 'scheduled_messages'
const list = () => [{ index: 0, type: TYPE }]

/** `scheduled_messages` `add`, to the sender. */
export const presentScheduledMessageAdded = present(domainEvents.messaging.scheduledMessageAdded, {
  list,
  write: ({ scheduled_message }) =>
    fieldsOf({ type: TYPE, op: 'add', scheduled_messages: [scheduled_message] }),
})

export const presentScheduledMessageUpdated = present(domainEvents.messaging.scheduledMessageUpdated, {
  list,
  write: ({ scheduled_message }) => fieldsOf({ type: TYPE, op: 'update', scheduled_message }),
})

export const presentScheduledMessageRemoved = present(domainEvents.messaging.scheduledMessageRemoved, {
  list,
  write: ({ scheduled_message_id }) => fieldsOf({ type: TYPE, op: 'remove', scheduled_message_id }),
})

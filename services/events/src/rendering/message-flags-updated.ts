import { domainEvents } from '@tms/contracts'
import { fieldsOf, present } from './presentation.ts'

/** `update_message_flags`, to the user whose flags they are. `operation` is the legacy copy of `op`. */
export const presentMessageFlagsUpdated = present(domainEvents.messaging.messageFlagsUpdated, {
  list: () => [{ index: 0, type: 'update_message_flags' }],
  write: ({ op, flag, messages, all, message_details }) =>
    fieldsOf({
      type: 'update_message_flags',
      op,
      operation: op,
      flag,
      messages,
      all,
      ...(message_details === undefined ? {} : { message_details }),
    }),
})

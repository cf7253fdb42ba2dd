import { domainEvents, type PayloadOf, topicNameFor } from '@tms/contracts'
import { fieldsOf, type JoinRule, present, type RenderedQueue } from './presentation.ts'

const { messageFlagsUpdated } = domainEvents.messaging
type Payload = PayloadOf<typeof messageFlagsUpdated>

/**
 * Joins the same change of the same flag on several messages. Never joins events that include the channel and topic of each
 * message (marked unread) or apply to all messages.
 */
const joining: JoinRule<Payload> = {
  fits: (earlier, later) =>
    earlier.op === later.op &&
    earlier.flag === later.flag &&
    ![earlier, later].some(({ all, message_details }) => all || message_details !== undefined),
  join: (payloads) => ({
    ...(payloads[0] as Payload),
    messages: [...new Set(payloads.flatMap(({ messages }) => messages))],
  }),
}

/** `update_message_flags`, to the user whose flags they are. `operation` is the legacy copy of `op`. */
export const presentMessageFlagsUpdated = present(messageFlagsUpdated, {
  list: () => [{ index: 0, type: 'update_message_flags' }],
  write: ({ op, flag, messages, all, message_details }, _index, queue) =>
    fieldsOf({
      type: 'update_message_flags',
      op,
      operation: op,
      flag,
      messages,
      all,
      ...(message_details === undefined ? {} : { message_details: withTopicNames(message_details, queue) }),
    }),
  joining,
})

function withTopicNames(
  details: NonNullable<Payload['message_details']>,
  { knows_empty_topics }: RenderedQueue,
): NonNullable<Payload['message_details']> {
  if (knows_empty_topics) return details
  return Object.fromEntries(
    Object.entries(details).map(([id, detail]) => [
      id,
      detail.topic === undefined ? detail : { ...detail, topic: topicNameFor(detail.topic, false) },
    ]),
  )
}

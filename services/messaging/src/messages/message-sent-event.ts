import type { domainEvents, PayloadOf } from '@tms/contracts'

type Payload = PayloadOf<typeof domainEvents.messaging.messageSent>

/** The payload of the event `message_sent`, in which only the ID of the message is missing. */
export type MessageSentWithoutId = { readonly message: Omit<Payload['message'], 'id'> } & Omit<
  Payload,
  'message'
>

/*
 * A message gets its ID from the statement that stores it, and the same statement publishes the event that contains the
 * ID. So the payload is rendered before without the ID, which SQL then adds as the first field of `message`. Only the
 * two functions below know how.
 */

/** Every payload begins with this, since `message` is its first field. The ID comes right after it. */
const BEFORE_ID = '{"message":{'

/** Renders the parameter of `withMessageIdSql`: the payload from where the ID goes. */
export function renderWithoutId(payload: MessageSentWithoutId): string {
  const json = JSON.stringify(payload)
  if (!json.startsWith(BEFORE_ID)) throw new Error("the payload doesn't begin with its message")
  return json.slice(BEFORE_ID.length)
}

/** SQL: the payload with the ID of the message. `withoutId` is the placeholder of what `renderWithoutId` returned. */
export function withMessageIdSql(id: string, withoutId: string): string {
  return `'${BEFORE_ID}"id":'::text || ${id} || ',' || ${withoutId}::text`
}

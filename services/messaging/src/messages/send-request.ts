import type { EndpointInput, endpoints } from '@tms/contracts'
import type { Caller, Tx } from '@tms/service-kit'
import type { IdempotencyKey } from './idempotency-key.queries.ts'

export type SendInput = EndpointInput<typeof endpoints.messaging.sendMessage>

/** A message as a client, a schedule or a webhook wants it sent: what the checks need. */
export interface MessageRequest {
  readonly sender: Pick<Caller, 'userId' | 'realmId' | 'role' | 'channelIds'>
  readonly input: Pick<SendInput, 'type' | 'to' | 'content' | 'topic' | 'read_by_sender' | 'widget_content'>
  /** The event queue that gets its own ID of the message back. */
  readonly echo: { readonly queueId: string; readonly localId: string } | null
  /** Name of the client program. */
  readonly client: string
}

/** A message to send. */
export interface SendRequest extends MessageRequest {
  readonly requestId: string | null
  /** Identifies a second attempt; null if that makes a second message. */
  readonly idempotencyKey: IdempotencyKey | null
  /** Work that must commit together with the message; null for none, as for the messages of clients. */
  readonly hook: TransactionHook | null
}

/** Work within the transaction that stores a message, such as deleting the scheduled message that it was. */
export interface TransactionHook {
  /** Runs under the lock of the recipient, before the message is stored. If it throws, nothing is stored. */
  readonly beforeStore: (tx: Tx) => Promise<void>
  readonly afterStore?: (tx: Tx, messageId: number) => Promise<void>
}

/** The result of a send. */
export interface SendResult {
  readonly id: number
  /** New visibility policy of the sender for the topic, if sending changed it. */
  readonly automaticVisibility: number | null
}

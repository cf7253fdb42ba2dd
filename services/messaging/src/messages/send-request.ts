import type { EndpointInput, endpoints } from '@tms/contracts'
import type { Caller, Tx } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { IdempotencyKey } from './idempotency-key.queries.ts'

export type SendInput = EndpointInput<typeof endpoints.messaging.sendMessage>

/** A message to send, as requested by a client, a schedule or a webhook. */
export interface SendRequest {
  readonly context: Context
  readonly sender: Pick<Caller, 'userId' | 'realmId' | 'role'>
  readonly input: Pick<SendInput, 'type' | 'to' | 'content' | 'topic' | 'read_by_sender' | 'widget_content'>
  /** The event queue that gets its own ID of the message back. */
  readonly echo: { readonly queueId: string; readonly localId: string } | null
  /** Name of the client program. */
  readonly client: string
  readonly requestId: string | null
  /** Identifies a second attempt; null if that makes a second message. */
  readonly idempotencyKey: IdempotencyKey | null
  readonly hooks: readonly TransactionHook[]
}

/** Work within the transaction that stores the message. */
export interface TransactionHook {
  /** Runs under the lock of the recipient, before the message has an ID. */
  readonly before?: (tx: Tx) => Promise<void>
  readonly after?: (tx: Tx, messageId: number) => Promise<void>
}

/** The result of a send. */
export interface SendResult {
  readonly id: number
  /** New visibility policy of the sender for the topic, if sending changed it. */
  readonly automaticVisibility: number | null
}

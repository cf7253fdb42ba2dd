import type { EndpointInput, endpoints } from '@tms/contracts'
import type { Caller, Tx } from '@tms/service-kit'
import type { Context } from '../context.ts'
import type { SendKey } from './sent-keys.queries.ts'

export type SendInput = EndpointInput<typeof endpoints.messaging.sendMessage>

/** A message as someone wants it sent, by a request or by a schedule. */
export interface Outgoing {
  readonly context: Context
  readonly sender: Pick<Caller, 'userId' | 'realmId' | 'role'>
  readonly input: Pick<SendInput, 'type' | 'to' | 'content' | 'topic' | 'read_by_sender' | 'widget_content'>
  /** The queue that wants its own ID of the message back. */
  readonly echo: { readonly queueId: string; readonly localId: string } | null
  /** Name of the client program. */
  readonly client: string
  readonly requestId: string | null
  /** By which a second attempt is known; null where it makes a second message. */
  readonly key: SendKey | null
  readonly companions: readonly Companion[]
}

/** What else the transaction does that stores a message: all of it happens, or nothing. */
export interface Companion {
  /** Under the lock of the message's place, before it has an ID. */
  readonly before?: (tx: Tx) => Promise<void>
  readonly after?: (tx: Tx, messageId: number) => Promise<void>
}

/** What became of it. */
export interface Sent {
  readonly id: number
  /** The sender's new visibility policy for the topic, where sending changed it. */
  readonly automaticVisibility: number | null
}

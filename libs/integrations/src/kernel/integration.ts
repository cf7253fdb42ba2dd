import type { z } from 'zod'

/** A request of a sender, as the format of an integration sees it. */
export interface Delivery<Payload = unknown, Parameter extends string = string> {
  readonly payload: Payload
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /**
   * Whether the address names a topic. It replaces those of the messages, so their text says what theirs would have
   * said.
   */
  readonly hasTopic: boolean
  /** Values of the integration's own parameters in the address. */
  readonly parameters: Readonly<Partial<Record<Parameter, string>>>
}

/** A message that an integration makes of a payload. */
export interface IntegrationMessage {
  readonly topic: string
  /** Markdown. */
  readonly content: string
  /** What `only_events` and `exclude_events` compare; null if the integration has no names of events. */
  readonly event: string | null
  /** Name of the channel that the message goes to, whatever the address says; left out if the address decides. */
  readonly channel?: string
}

/** What a payload means: messages, none for an event that is ignored on purpose; or an event that isn't supported. */
export type Outcome =
  | { readonly kind: 'messages'; readonly messages: readonly IntegrationMessage[] }
  | { readonly kind: 'unsupported'; readonly event: string }

/** How a sender proves that it knows the secret of the address. */
export interface SignatureScheme {
  /** In lower case. */
  readonly header: string
  /** Whether the value of the header is the signature of the body. `now` is for schemes that sign a time. */
  readonly verify: (signed: {
    readonly header: string
    readonly body: Buffer
    readonly secret: string
    readonly now: Date
  }) => boolean
}

/**
 * An integration: how the payloads of one kind of sender become messages. `format` is a pure function; it throws
 * `PayloadError` for a payload that contradicts its form.
 */
export interface Integration<
  Name extends string = string,
  Payload extends z.ZodType = z.ZodType,
  Parameter extends string = string,
> {
  /** Last part of the address: lower-case letters, digits and `_`. */
  readonly name: Name
  readonly displayName: string
  /** One sentence for those who choose an integration. */
  readonly description: string
  /** How to set up the sender, in Markdown; `{url}` stands for the address. */
  readonly setup: string
  /** Names for `only_events` and `exclude_events`; null if it has none. */
  readonly events: readonly string[] | null
  /** Its own parameters in the address, with descriptions. */
  readonly parameters: Readonly<Record<Parameter, string>>
  /** `form`: the JSON may also be the field `payload` of a form. `fields`: the fields of a form are the payload. */
  readonly body: 'json' | 'form' | 'fields'
  readonly payload: Payload
  /** Header with an ID that the sender repeats when it sends the same again; null if it has none. */
  readonly deliveryIdHeader: string | null
  /** The same in the payload; the header wins. */
  deliveryId(payload: z.output<Payload>): string | null
  readonly signature: SignatureScheme | null
  /** `ok`: answers also have the field `ok` that Slack's senders expect. `bot`: they name the bot. */
  readonly answer: 'envelope' | 'ok' | 'bot'
  /** Whether some of its senders encode the address that they are given once more. */
  readonly encodesAddressAgain: boolean
  /** A method, so that lists of integrations with different payloads compile. */
  format(delivery: Delivery<z.output<Payload>, Parameter>): Outcome
}

/** Declares an integration. */
export function defineIntegration<
  const Name extends string,
  Payload extends z.ZodType,
  const Parameter extends string = never,
>(declaration: {
  name: Name
  displayName: string
  description: string
  setup: string
  events?: readonly string[]
  parameters?: Readonly<Record<Parameter, string>>
  body?: 'form' | 'fields'
  payload: Payload
  deliveryIdHeader?: string
  deliveryId?: (payload: z.output<Payload>) => string | null | undefined
  signature?: SignatureScheme
  answer?: 'ok' | 'bot'
  encodesAddressAgain?: boolean
  format: (delivery: Delivery<z.output<Payload>, Parameter>) => Outcome
}): Integration<Name, Payload, Parameter> {
  return {
    ...declaration,
    events: declaration.events ?? null,
    parameters: declaration.parameters ?? ({} as Record<Parameter, string>),
    body: declaration.body ?? 'json',
    deliveryIdHeader: declaration.deliveryIdHeader ?? null,
    deliveryId: (payload) => declaration.deliveryId?.(payload) || null,
    signature: declaration.signature ?? null,
    answer: declaration.answer ?? 'envelope',
    encodesAddressAgain: declaration.encodesAddressAgain ?? false,
  }
}

/** An integration, types erased. */
export type AnyIntegration = Integration<string, z.ZodType, string>

/** One message of an event. */
export function message(event: string | null, topic: string, content: string): Outcome {
  return { kind: 'messages', messages: [{ topic, content, event }] }
}

/** An event that is known and says nothing. */
export const ignored: Outcome = { kind: 'messages', messages: [] }

/** An event that the integration doesn't know. */
export const unsupported = (event: string): Outcome => ({ kind: 'unsupported', event })

import type { z } from 'zod'
import type { Audit } from './audit.ts'
import type { ServiceName } from './endpoint.ts'

/**
 * The audience of a domain event, as a union of selectors. `realm` selects every account whose role is at least as
 * powerful as `roleAtMost` (all if absent); `public_listeners` selects queues that requested messages of public
 * channels beyond their owner's subscriptions, which are far fewer than the realm's; `everyone` selects the queues of
 * all realms.
 */
export type Selector =
  | { readonly kind: 'users'; readonly userIds: readonly number[] }
  | { readonly kind: 'channel'; readonly channelId: number }
  | { readonly kind: 'realm'; readonly roleAtMost?: number }
  | { readonly kind: 'public_listeners' }
  | { readonly kind: 'everyone' }
export type Audience = readonly Selector[]

/**
 * An event that a service publishes to the others, declared once. `audience` determines which client queues may
 * receive it; an empty audience means that it is only for other services. Delivered in commit order per producer.
 */
export interface DomainEvent<Name extends string = string, Payload extends z.ZodType = z.ZodType> {
  readonly name: Name
  readonly producer: ServiceName
  readonly summary: string
  readonly payload: Payload
  /** A method, so that an event with any payload is assignable to `DomainEvent`. */
  audience(payload: z.output<Payload>): Audience
  /**
   * The user that the event is about, if only users that can see that user may receive it, since guests may see only
   * some users. Null or undeclared: everyone in the audience receives it.
   */
  subject?(payload: z.output<Payload>): number | null
  /** Its entries in the audit log of the organization, or why it has none. */
  readonly audit: Audit<z.output<Payload>>
}

export type PayloadOf<E> = E extends DomainEvent<string, infer P> ? z.output<P> : never

/** Declares a domain event. Names are `<producer>.<past tense>.v<version>`; another prefix doesn't compile. */
export function domainEvent<
  const Producer extends ServiceName,
  const Name extends `${NoInfer<Producer>}.${string}.v${number}`,
  Payload extends z.ZodType,
  const Action extends string = never,
>(declaration: {
  name: Name
  producer: Producer
  summary: string
  payload: Payload
  audience: (payload: z.output<Payload>) => Audience
  subject?: (payload: z.output<Payload>) => number | null
  audit: Audit<z.output<Payload>, Action>
}): DomainEvent<Name, Payload> & { readonly producer: Producer } {
  return declaration
}

/**
 * A domain event as stored in the log. `stream` and `seq` identify it: within one stream, seq runs 1, 2, 3 … without
 * gaps, so a consumer that takes only the successor of the last one it took gets each event exactly once and in
 * order, however often a relay published it. An event that belongs to no transaction has no sequence number: its
 * `seq` and `xid` are 0, and it may be lost. `xid` is the PostgreSQL transaction that wrote it, for the register
 * hand-off. `at` is when the event was inserted into the outbox, just before its commit, by PostgreSQL's clock; without a
 * transaction, when it was published, by its producer's. UNIX milliseconds.
 */
export interface LogEntry {
  readonly stream: string
  readonly source: ServiceName
  readonly seq: number
  readonly xid: number
  readonly at: number
  readonly event: string
  readonly realm_id: number
  readonly request_id: string | null
  readonly payload: unknown
}

import type { z } from 'zod'
import type { ServiceName } from './endpoint.ts'

/** Lower is more power (API document, "User"). */
export const Role = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const
export type Role = (typeof Role)[keyof typeof Role]

/**
 * Who a domain event concerns, as a union of selectors. `realm` selects every account whose role is at
 * least as powerful as `roleAtMost` (all when absent); `public_listeners` the queues that asked for messages
 * of public channels beyond their owner's subscriptions, which are far fewer than the realm's; `everyone` those of all
 * realms.
 */
export type Selector =
  | { readonly kind: 'users'; readonly userIds: readonly number[] }
  | { readonly kind: 'channel'; readonly channelId: number }
  | { readonly kind: 'realm'; readonly roleAtMost?: number }
  | { readonly kind: 'public_listeners' }
  | { readonly kind: 'everyone' }
export type Audience = readonly Selector[]

/**
 * A fact that a service tells the others, declared once. `audience` decides whose client queues look at
 * it; an empty audience means that it only feeds other services. Delivered in commit order per producer.
 */
export interface DomainEvent<Name extends string = string, Payload extends z.ZodType = z.ZodType> {
  readonly name: Name
  readonly producer: ServiceName
  readonly summary: string
  readonly payload: Payload
  /** Written as a method so that an event of any payload is a `DomainEvent`. */
  audience(payload: z.output<Payload>): Audience
  /**
   * Whom the event is about, if it is for those only who see that user: a guest's sight of people may be limited.
   * Null, or none declared, is everyone in the audience.
   */
  subject?(payload: z.output<Payload>): number | null
}

export type PayloadOf<E> = E extends DomainEvent<string, infer P> ? z.output<P> : never

/** Declares a domain event. Names are `<producer>.<past tense>.v<version>`; another prefix doesn't compile. */
export function domainEvent<
  const Producer extends ServiceName,
  const Name extends `${NoInfer<Producer>}.${string}.v${number}`,
  Payload extends z.ZodType,
>(declaration: {
  name: Name
  producer: Producer
  summary: string
  payload: Payload
  audience: (payload: z.output<Payload>) => Audience
  subject?: (payload: z.output<Payload>) => number | null
}): DomainEvent<Name, Payload> & { readonly producer: Producer } {
  return declaration
}

/**
 * A domain event as it stands in the log.
 * `stream` and `seq` identify it: within one stream, seq runs 1, 2, 3 … without gaps, so a consumer that
 * takes only the successor of the last one it took sees each event exactly once and in order, however
 * often a relay published it. What belongs to no transaction has no place: its `seq` and `xid` are 0, and it may
 * be lost. `xid` is the PostgreSQL transaction that made it, for the register hand-off.
 */
export interface LogEntry {
  readonly stream: string
  readonly source: ServiceName
  readonly seq: number
  readonly xid: number
  readonly event: string
  readonly realm_id: number
  readonly request_id: string | null
  readonly payload: unknown
}

import type { DomainEvent, PayloadOf, QueueRecord } from '@tms/contracts'
import type { QueueState } from '../partitions/queue-state.ts'

/**
 * What rendering needs to know of a queue, none of which changes while it lives: each poll holds it, so it is without what the
 * owner of its partition alone needs.
 */
export interface RenderedQueue
  extends Pick<
    QueueRecord,
    'queue_id' | 'user_id' | 'apply_markdown' | 'client_gravatar' | 'slim_presence' | 'include_subscribers'
  > {
  /** Of the made-up addresses of people whom its owner doesn't see. */
  readonly unknown_email_host: string
}

/** The record without the rest. */
export function asRendered(record: QueueRecord): RenderedQueue {
  const { queue_id, user_id, apply_markdown, client_gravatar, slim_presence, include_subscribers } = record
  const unknown_email_host = unknownEmailHostOf(record)
  return {
    queue_id,
    user_id,
    apply_markdown,
    client_gravatar,
    slim_presence,
    include_subscribers,
    unknown_email_host,
  }
}

/** Empty where everyone is seen. */
export const unknownEmailHostOf = ({ guest_visibility }: QueueRecord): string =>
  guest_visibility?.email_host ?? ''

/** One client event that a domain event becomes for some queue; `index` tells which when it is rendered. */
export interface ClientEventRef {
  readonly index: number
  readonly type: string
}

/** Values derived from one log entry, shared by all queues that get it. */
export type Cache = Map<string, unknown>

/**
 * How a domain event looks to clients. `list` runs where the queue's partition is owned and decides with all
 * that is known of the queue; `write` runs at the replica that answers a poll and knows the record only, so
 * whatever it needs beyond that must be in the index.
 */
export interface Presentation<P = unknown> {
  readonly list: (payload: P, queue: QueueState, cache: Cache) => readonly ClientEventRef[]
  /** The event's fields beside `id`, as JSON text without braces. */
  readonly write: (payload: P, index: number, queue: RenderedQueue, cache: Cache) => string
  /** How neighbours in a queue become one, where they can: `list` gives one event at most, with index 0. */
  readonly joining?: Joining<P>
}

/** Payloads that one payload can stand for. */
export interface Joining<P = unknown> {
  /** Whether the later of two neighbours says the same as the earlier one, of other things. */
  readonly fits: (earlier: P, later: P) => boolean
  /** What says all that they say, in their order; each fits the one before. */
  readonly join: (payloads: readonly P[]) => P
}

export interface NamedPresentation {
  readonly event: DomainEvent
  readonly presentation: Presentation
}

/** Pairs a domain event with its presentation; the payload's type follows from the event. */
export function present<E extends DomainEvent>(
  event: E,
  presentation: Presentation<PayloadOf<E>>,
): NamedPresentation {
  return { event, presentation: presentation as Presentation }
}

/** The fields of an event as JSON text without braces. */
export function fieldsOf(event: Record<string, unknown>): string {
  return JSON.stringify(event).slice(1, -1)
}

/** A value made once per log entry. */
export function cached<T>(cache: Cache, key: string, make: () => T): T {
  if (cache.has(key)) return cache.get(key) as T
  const value = make()
  cache.set(key, value)
  return value
}

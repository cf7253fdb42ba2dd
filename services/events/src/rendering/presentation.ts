import { type DomainEvent, type PayloadOf, type QueueRecord, topicNameFor } from '@tms/contracts'
import type { QueueState } from '../kernel/queue-state.ts'

/**
 * The part of a queue's record that rendering needs; it never changes while the queue lives. Each pending poll keeps one in memory,
 * so it lacks the fields that only the partition's owner needs.
 */
export interface RenderedQueue
  extends Pick<
    QueueRecord,
    'queue_id' | 'user_id' | 'apply_markdown' | 'client_gravatar' | 'slim_presence' | 'include_subscribers'
  > {
  /** Host of the placeholder e-mail addresses of users who are invisible to the queue's owner. */
  readonly unknown_email_host: string
  /** The client knows that topics may be empty; otherwise the empty topic has its name. */
  readonly knows_empty_topics: boolean
}

export function toRenderedQueue(record: QueueRecord): RenderedQueue {
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
    // Records of earlier releases lack the capability.
    knows_empty_topics: record.client_capabilities.empty_topic_name ?? false,
  }
}

export const unknownEmailHostOf = ({ guest_visibility }: QueueRecord): string =>
  guest_visibility?.email_host ?? ''

/** A client event that a domain event becomes for a queue; `index` identifies it when it is rendered. */
export interface ClientEventRef {
  readonly index: number
  readonly type: string
}

/** Values derived from one log entry, shared by all queues that receive it. */
export type Cache = Map<string, unknown>

/**
 * How a domain event is presented to clients. `list` runs at the owner of the queue's partition and has the queue's whole state.
 * `write` runs at the replica that answers a poll and has the record only, so the index must contain everything else.
 */
export interface Presentation<P = unknown> {
  readonly list: (payload: P, queue: QueueState, cache: Cache) => readonly ClientEventRef[]
  /** The event's fields beside `id`, as JSON text without braces. */
  readonly write: (payload: P, index: number, queue: RenderedQueue, cache: Cache) => string
  /** Set if neighbouring events of a queue can be joined. `list` must then return one event at most, with index 0. */
  readonly joining?: JoinRule<P>
}

export interface JoinRule<P = unknown> {
  /** Whether the later of two neighbours makes the same change as the earlier one, to other objects. */
  readonly fits: (earlier: P, later: P) => boolean
  /** Joins payloads in their order; each fits the one before. */
  readonly join: (payloads: readonly P[]) => P
}

export interface EventPresentation {
  readonly event: DomainEvent
  readonly presentation: Presentation
}

/** Pairs a domain event with its presentation; the payload's type follows from the event. */
export function present<E extends DomainEvent>(
  event: E,
  presentation: Presentation<PayloadOf<E>>,
): EventPresentation {
  return { event, presentation: presentation as Presentation }
}

/** Makes the two forms of an event with topics, for clients that know the empty topic and for others; each once. */
export function cachedByTopicForm<T>(
  cache: Cache,
  key: string,
  { knows_empty_topics }: RenderedQueue,
  make: (nameOf: (topic: string) => string) => T,
): T {
  return cached(cache, `${key}:${knows_empty_topics}`, () =>
    make((topic) => topicNameFor(topic, knows_empty_topics)),
  )
}

/** Serializes the fields of an event as JSON text without braces. */
export function fieldsOf(event: Record<string, unknown>): string {
  return JSON.stringify(event).slice(1, -1)
}

export function cached<T>(cache: Cache, key: string, make: () => T): T {
  if (cache.has(key)) return cache.get(key) as T
  const value = make()
  cache.set(key, value)
  return value
}

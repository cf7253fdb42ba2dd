import { remoteContext, SpanKind, startSpan, type TraceContext } from '@tms/service-kit'

/** The recorded trace that an entry of the log is part of, on this replica. */
export class EntryTrace {
  /** Whoever published the entry. */
  readonly publisher: TraceContext
  readonly #readAt = Date.now()
  #reading: TraceContext | null = null

  constructor(publisher: TraceContext) {
    this.publisher = publisher
  }

  /**
   * Within the span of the entry's having been read: it begins when this replica read it and ends when the first of its
   * partitions takes something from it. Where none does, as on replicas that own others, there is none.
   */
  reading(event: string, offset: number): TraceContext {
    if (this.#reading) return this.#reading
    const open = startSpan(`receive ${event}`, this.publisher, {
      kind: SpanKind.CONSUMER,
      startTime: this.#readAt,
      attributes: {
        'messaging.system': 'rabbitmq',
        'messaging.operation.type': 'receive',
        'messaging.rabbitmq.stream.offset': offset,
      },
    })
    open?.span.end()
    this.#reading = open?.context ?? this.publisher
    return this.#reading
  }
}

/** The trace that a `traceparent` of the broker's names; null for what isn't recorded, and while tracing is off. */
export function entryTraceOf(traceparent: string | undefined): EntryTrace | null {
  const publisher = remoteContext(traceparent)
  return publisher && new EntryTrace(publisher)
}

import { remoteContext, SpanKind, startSpan, type TraceContext } from '@tms/service-kit'

export class EntryTrace {
  readonly publisher: TraceContext
  readonly #readAt = Date.now()
  #receiveContext: TraceContext | null = null

  constructor(publisher: TraceContext) {
    this.publisher = publisher
  }

  /**
   * Returns the context of the entry's receive span, which begins when this replica read the entry and ends when the first of
   * its partitions changes because of it. If no partition of this replica changes, there is no such span.
   */
  receiveContext(event: string, offset: number): TraceContext {
    if (this.#receiveContext) return this.#receiveContext
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
    this.#receiveContext = open?.context ?? this.publisher
    return this.#receiveContext
  }
}

/** The trace of a `traceparent` from the broker; null if it isn't recorded or tracing is off. */
export function entryTraceOf(traceparent: string | undefined): EntryTrace | null {
  const publisher = remoteContext(traceparent)
  return publisher && new EntryTrace(publisher)
}

import { context, propagation, trace } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import { setTracer } from './tracer.ts'

/** Spans in memory, for tests. */
export interface RecordedSpans {
  start(): void
  stop(): Promise<void>
  /** Tracing is off until this call, and again after `reset`. */
  turnOn(): void
  reset(): void
  list(): {
    name: string
    id: string
    parent: string | undefined
    failure: string | undefined
    attributes: object
  }[]
}

export function createRecordedSpans(): RecordedSpans {
  const exporter = new InMemorySpanExporter()
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  return {
    start: () => provider.register({ propagator: new W3CTraceContextPropagator() }),
    stop: async () => {
      // The next test file registers its own tracer.
      for (const api of [trace, context, propagation]) api.disable()
      await provider.shutdown()
    },
    turnOn: () => setTracer(trace.getTracer('test')),
    reset: () => {
      setTracer(null)
      exporter.reset()
    },
    list: () => exporter.getFinishedSpans().map(show),
  }
}

const show = (span: ReadableSpan) => ({
  name: span.name,
  id: span.spanContext().spanId,
  parent: span.parentSpanContext?.spanId,
  failure: span.status.message,
  attributes: span.attributes,
})

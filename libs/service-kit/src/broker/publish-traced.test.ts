import { context, propagation, trace } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { setTracer } from '../telemetry/tracer.ts'
import { publishTraced } from './publish-traced.ts'
import type { OutgoingMessage } from './publisher.ts'

const SENT = '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01'

const exporter = new InMemorySpanExporter()
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
beforeAll(() => provider.register({ propagator: new W3CTraceContextPropagator() }))
afterAll(async () => {
  // The next test file registers its own tracer.
  for (const api of [trace, context, propagation]) api.disable()
  await provider.shutdown()
})
afterEach(() => {
  setTracer(null)
  exporter.reset()
})

const turnOn = () => setTracer(trace.getTracer('test'))
const spans = () =>
  exporter.getFinishedSpans().map((span) => ({
    name: span.name,
    id: span.spanContext().spanId,
    parent: span.parentSpanContext?.spanId,
    failure: span.status.message,
  }))

let sent: OutgoingMessage[] = []
beforeEach(() => {
  sent = []
})
const publisher = {
  publish: async (all: readonly OutgoingMessage[]) => void sent.push(...all),
  close: async () => {},
}

describe('publishing', () => {
  const both = [
    { routingKey: 'traced', body: '{}', traceparent: SENT },
    { routingKey: 'other', body: '{}', traceparent: null },
  ]

  test('passes the trace on unchanged while tracing is off', async () => {
    await publishTraced(publisher, both)

    expect(spans()).toEqual([])
    // Another process with tracing continues the trace.
    expect(sent).toEqual(both)
  })

  test('continues the trace at the consumer of a message', async () => {
    turnOn()
    await publishTraced(publisher, both)

    const [span] = spans()
    expect(spans()).toMatchObject([{ name: 'send traced', parent: '0123456789abcdef' }])
    expect(sent).toEqual([
      { routingKey: 'traced', body: '{}', traceparent: `00-0123456789abcdef0123456789abcdef-${span?.id}-01` },
      { routingKey: 'other', body: '{}', traceparent: null },
    ])
  })

  test('that fails is marked as failed', async () => {
    turnOn()
    const publish = () => Promise.reject(new Error('the broker is away'))
    await expect(publishTraced({ publish, close: async () => {} }, both)).rejects.toThrow('away')

    expect(spans()).toMatchObject([{ name: 'send traced', failure: 'Error' }])
  })
})

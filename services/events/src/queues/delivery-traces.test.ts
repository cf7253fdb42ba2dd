import { context, propagation, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { inSpanOf, setTracer } from '@tms/service-kit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { eventIdOf } from '../kernel/event-id.ts'
import { entryTraceOf } from '../log/entry-trace.ts'
import type { LogTail } from '../log/log-tail.ts'
import { RecentLog } from '../log/recent-log.ts'
import { createDeliveryTraces } from './delivery-traces.ts'

const exporter = new InMemorySpanExporter()
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
beforeAll(() => {
  provider.register()
  setTracer(trace.getTracer('test'))
})
afterAll(async () => {
  setTracer(null)
  // The next file registers its own.
  for (const api of [trace, context, propagation]) api.disable()
  await provider.shutdown()
})
afterEach(() => exporter.reset())

const SENDING = `00-${'a'.repeat(32)}-${'1'.repeat(16)}-01`
const COMMIT = `00-${'a'.repeat(32)}-${'2'.repeat(16)}-01`
const POLL = `00-${'b'.repeat(32)}-${'3'.repeat(16)}-01`

/** The delivery traces of a replica that has read a traced entry at offset 5. */
function aReplica() {
  const recent = new RecentLog(() => true)
  const trace = entryTraceOf(SENDING)
  recent.add({ offset: 5, entry: null, body: '', positions: {}, cache: new Map(), trace })
  return createDeliveryTraces(() => ({ recent }) as unknown as LogTail)
}
const delivery = { partition: 3, queueId: 'q', eventIds: [eventIdOf(5, 0), eventIdOf(5, 1)], startedAt: 0 }
const spans = () => exporter.getFinishedSpans()
const deliveries = () => spans().filter(({ name }) => name.startsWith('deliver'))

test('a delivery’s span has the commit’s span as its parent, once for all events of an entry', () => {
  const traces = aReplica()
  traces.recordCommits(3, { 5: COMMIT })
  traces.recordDelivery(delivery)

  expect(deliveries().map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(['2'.repeat(16)])
})

test.each<[string, Record<string, string>, number]>([
  ['no commit', {}, 3],
  ['a commit of another partition', { 5: COMMIT }, 4],
  ['a commit of another entry', { 6: COMMIT }, 3],
  ['an invalid trace', { 5: 'rubbish' }, 3],
])('with %s, a delivery’s span has the publisher’s span as its parent', (_, traceparents, partition) => {
  const traces = aReplica()
  traces.recordCommits(partition, traceparents)
  traces.recordDelivery(delivery)

  expect(deliveries().map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(['1'.repeat(16)])
})

test('a delivery of an untraced entry has no span', () => {
  aReplica().recordDelivery({ ...delivery, eventIds: [eventIdOf(6, 0)] })

  expect(spans()).toEqual([])
})

test('the spans of the poll and the delivery are linked with each other', async () => {
  const traces = aReplica()
  await inSpanOf(POLL, 'poll', {}, async () => traces.recordDelivery(delivery))

  const [delivered] = deliveries()
  const poll = spans().find(({ name }) => name === 'poll')
  expect(poll?.links.map(({ context }) => context.spanId)).toEqual([delivered?.spanContext().spanId])
  expect(delivered?.links.map(({ context }) => context.spanId)).toEqual([poll?.spanContext().spanId])
})

test('the number of delivery spans of an event is limited', () => {
  const traces = aReplica()
  traces.recordCommits(3, { 5: COMMIT })
  for (let i = 0; i < 1_000; i++) traces.recordDelivery(delivery)

  expect(deliveries()).toHaveLength(50)
})

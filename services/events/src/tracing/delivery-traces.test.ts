import { context, propagation, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { inSpanOf, setTracer } from '@tms/service-kit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { LogTail } from '../log/log-tail.ts'
import { RecentLog } from '../log/recent-log.ts'
import { eventIdOf } from '../partitions/event-id.ts'
import { createDeliveryTraces } from './delivery-traces.ts'
import { entryTraceOf } from './entry-trace.ts'

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

/** What a replica knows that has read an entry at offset 5, which its publisher says is traced. */
function aReplica() {
  const recent = new RecentLog(() => true)
  const trace = entryTraceOf(SENDING)
  recent.add({ offset: 5, entry: null, body: '', positions: {}, cache: new Map(), trace })
  return createDeliveryTraces(() => ({ recent }) as unknown as LogTail)
}
const delivery = { partition: 3, queueId: 'q', eventIds: [eventIdOf(5, 0), eventIdOf(5, 1)], startedAt: 0 }
const spans = () => exporter.getFinishedSpans()
const deliveries = () => spans().filter(({ name }) => name.startsWith('deliver'))

test('a delivery goes on from the commit that it was told of, once for all that an entry became', () => {
  const traces = aReplica()
  traces.note(3, { 5: COMMIT })
  traces.delivered(delivery)

  expect(deliveries().map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(['2'.repeat(16)])
})

test.each<[string, Record<string, string>, number]>([
  ['told of none', {}, 3],
  ['told of another partition’s', { 5: COMMIT }, 4],
  ['told of another entry’s', { 6: COMMIT }, 3],
  ['told what names none', { 5: 'rubbish' }, 3],
])('one that was %s goes on from where the entry was published', (_, traceparents, partition) => {
  const traces = aReplica()
  traces.note(partition, traceparents)
  traces.delivered(delivery)

  expect(deliveries().map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(['1'.repeat(16)])
})

test('one of what nobody traces is in no trace', () => {
  aReplica().delivered({ ...delivery, eventIds: [eventIdOf(6, 0)] })

  expect(spans()).toEqual([])
})

test('the poll and the delivery know of each other', async () => {
  const traces = aReplica()
  await inSpanOf(POLL, 'poll', {}, async () => traces.delivered(delivery))

  const [delivered] = deliveries()
  const poll = spans().find(({ name }) => name === 'poll')
  expect(poll?.links.map(({ context }) => context.spanId)).toEqual([delivered?.spanContext().spanId])
  expect(delivered?.links.map(({ context }) => context.spanId)).toEqual([poll?.spanContext().spanId])
})

test('of an event for many only some of the deliveries show', () => {
  const traces = aReplica()
  traces.note(3, { 5: COMMIT })
  for (let i = 0; i < 1_000; i++) traces.delivered(delivery)

  expect(deliveries()).toHaveLength(50)
})

import { randomBytes } from 'node:crypto'
import { endpoints } from '@tms/contracts'
import { type ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { afterAll, describe, expect, test } from 'vitest'
import type { CollectedSpan, TraceCollector } from '../support/trace-collector.ts'
import { until } from '../support/until.ts'
import { newChannel, newUsers } from '../support/users-and-channels.ts'

/** A trace that a client starts and wants recorded, or not. */
function newTrace({ isRecorded = true } = {}) {
  const traceId = randomBytes(16).toString('hex')
  const spanId = randomBytes(8).toString('hex')
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-0${isRecorded ? 1 : 0}` } }
}

/** The trace tests, for a system that exports to this collector. */
export const traceTestsWith = (collector: TraceCollector) =>
  function traceTests(system: () => TestSystem): void {
    afterAll(() => collector.stop())

    const pendingPolls = async () => {
      const texts = await Promise.all(
        system().system.urls.events.map(async (url) => (await fetch(`${url}/metrics`)).text()),
      )
      return texts.reduce((sum, text) => sum + Number(/^event_pending_polls\S* (\d+)/m.exec(text)?.[1]), 0)
    }
    const send = (client: ApiClient, to: number, headers: Record<string, string>) =>
      client.call(
        endpoints.messaging.sendMessage,
        { type: 'channel', to, topic: 'traces', content: 'x' },
        { headers },
      )

    describe('a message', () => {
      const message = newTrace()
      const poll = newTrace()
      let delivery: CollectedSpan | undefined

      test('is traced to the users who receive it', async () => {
        const [ann, ben] = await newUsers(system(), 2)
        const { id } = await newChannel(ann, { others: [ben] })
        const { queueId, lastEventId } = await registerQueue(ben, { event_types: ['message'] })
        const polling = ben.call(
          endpoints.events.getEvents,
          { queue_id: queueId, last_event_id: lastEventId },
          { headers: poll.headers },
        )
        await until(async () => (await pendingPolls()) > 0)
        await send(ann, id, message.headers)
        await polling
        let hops: CollectedSpan[] | null = null
        await until(async () => {
          const spans = collector.spansOf(message.traceId)
          delivery = spans.find(({ name }) => name.startsWith('deliver'))
          hops = lineage(spans, delivery, message.spanId)
          return hops !== null
        })

        expect(namesOf(hops)).toEqual([
          'tms-gateway: POST /api/v1/messages',
          'tms-gateway: POST /api/v1/messages',
          'tms-messaging: POST /api/v1/messages',
          'tms-messaging: transaction',
          'tms-messaging: create messaging.message_sent.v1',
          'tms-messaging: send messaging.message_sent.v1',
          'tms-events: receive messaging.message_sent.v1',
          'tms-events: commit partition',
          'tms-events: deliver messaging.message_sent.v1',
        ])
      })

      test('is linked with the poll that delivers it, which is a trace of its own', async () => {
        let hops: CollectedSpan[] = []
        await until(async () => {
          const spans = collector.spansOf(poll.traceId)
          const answering = spans.find(({ service }) => service === 'tms-events')
          hops = lineage(spans, answering, poll.spanId) ?? []
          return hops.length > 0
        })

        expect(namesOf(hops)).toEqual([
          'tms-gateway: GET /api/v1/events',
          'tms-gateway: GET /api/v1/events',
          'tms-events: GET /api/v1/events',
        ])
        const answering = hops.at(-1)
        expect(answering?.links).toMatchObject([{ traceId: message.traceId, spanId: delivery?.spanId }])
        expect(delivery?.links).toMatchObject([{ traceId: poll.traceId, spanId: answering?.spanId }])
      })

      test('is found in the logs by its trace', async () => {
        for (const service of ['gateway', 'messaging']) {
          const replicas = system().system.replicas.filter((replica) => replica.service === service)
          const lines = replicas.flatMap((replica) => replica.logs())

          expect(lines.filter((line) => line.includes(`"trace_id":"${message.traceId}"`))).toContainEqual(
            expect.stringMatching(/"span_id":"[0-9a-f]{16}".*"request answered"/),
          )
        }
      })
    })

    test('the work of another service on an event is part of its trace', async () => {
      const { owner, createUser } = system()
      const user = await createUser()
      const { traceId, headers } = newTrace()
      await owner.call(
        endpoints.users.updateUser,
        { user_id: user.userId, full_name: 'Somebody else' },
        { headers },
      )

      await until(async () =>
        collector
          .spansOf(traceId)
          .some(({ service, name }) => service === 'tms-messaging' && name.startsWith('process users.')),
      )
    })

    test('an unsampled request is not recorded', async () => {
      const [ann] = await newUsers(system(), 1)
      const unwanted = newTrace({ isRecorded: false })
      const wanted = newTrace()
      await ann.call(endpoints.users.getOwnUser, {}, { headers: unwanted.headers })
      await ann.call(endpoints.users.getOwnUser, {}, { headers: wanted.headers })
      await until(async () => collector.spansOf(wanted.traceId).length > 3)

      expect(collector.spansOf(unwanted.traceId)).toEqual([])
    })

    test.each([
      'rubbish',
      '00-00000000000000000000000000000000-0000000000000000-01',
      `00-${'f'.repeat(32)}-${'f'.repeat(16)}`,
      `ff-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      '',
    ])('a client with the trace header %j is served', async (traceparent) => {
      const answer = await system().owner.send(
        endpoints.users.getOwnUser,
        {},
        { headers: { traceparent, tracestate: 'x'.repeat(2_000) } },
      )

      expect(answer.status).toBe(200)
    })
  }

/** A span and its ancestors, without the client's own; null while any of them is missing. */
function lineage(
  spans: readonly CollectedSpan[],
  last: CollectedSpan | undefined,
  clientsSpanId: string,
): CollectedSpan[] | null {
  if (last === undefined) return null
  if (last.parentSpanId === clientsSpanId) return [last]
  const before = lineage(
    spans,
    spans.find(({ spanId }) => spanId === last.parentSpanId),
    clientsSpanId,
  )
  return before && [...before, last]
}

const namesOf = (spans: readonly CollectedSpan[] | null) =>
  spans?.map(({ service, name }) => `${service}: ${name}`)

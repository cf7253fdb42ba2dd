import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRecordedSpans } from '../telemetry/recorded-spans.ts'
import { publishTraced } from './publish-traced.ts'
import type { OutgoingMessage } from './publisher.ts'

const SENT = '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01'

const { start, stop, turnOn, reset, list: spans } = createRecordedSpans()
beforeAll(start)
afterAll(stop)
afterEach(reset)

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

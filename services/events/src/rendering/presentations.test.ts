import type { LogEntry } from '@tms/contracts'
import { expect, test } from 'vitest'
import type { LogTail } from '../log/log-tail.ts'
import { eventIdOf } from '../partitions/event-id.ts'
import { DELIVERED_SINGLY } from '../queues/delivery-boundaries.ts'
import { createEventReader } from '../queues/event-reader.ts'
import type { PartitionStore } from '../redis/partition-store.ts'
import type { RenderedQueue } from './presentation.ts'
import { audienceOf, presentationOf } from './presentations.ts'

const OF_NEWER_RELEASE: LogEntry = {
  ...{ stream: 's', source: 'messaging', seq: 1, xid: 1, at: 0, realm_id: 1, request_id: null },
  event: 'messaging.something_new.v1',
  payload: { some: 'field' },
}

test('an event of a newer release is delivered to nobody by this one', () => {
  expect(audienceOf(OF_NEWER_RELEASE)).toEqual([])
  expect(presentationOf(OF_NEWER_RELEASE).list({}, {} as never, new Map())).toEqual([])
})

test('an event of a newer release in a queue is rendered as a heartbeat', async () => {
  const logTail = { recent: { get: () => undefined }, end: () => null } as unknown as LogTail
  const texts = [JSON.stringify(OF_NEWER_RELEASE)]
  const store = { payloads: async () => texts } as unknown as PartitionStore
  const id = eventIdOf(5, 0)

  const rendered = await createEventReader(() => logTail, store).render(
    0,
    {} as RenderedQueue,
    [id],
    DELIVERED_SINGLY,
  )

  expect(rendered.texts.map((text) => JSON.parse(text))).toEqual([{ id, type: 'heartbeat' }])
})

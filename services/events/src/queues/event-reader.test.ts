import { domainEvents, type LogEntry } from '@tms/contracts'
import { expect, test } from 'vitest'
import { eventIdOf } from '../kernel/event-id.ts'
import type { LogTail } from '../log/log-tail.ts'
import { parseDeliveryBoundaries } from '../redis/delivery-boundaries.ts'
import type { PartitionStore } from '../redis/partition-store.ts'
import type { RenderedQueue } from '../rendering/presentation.ts'
import { JOIN_NOTHING } from './coalesce.ts'
import { createEventReader, MAX_ANSWER_LENGTH } from './event-reader.ts'

const queue = { queue_id: 'q', user_id: 7 } as RenderedQueue
/** A log in which the offsets up to `lostUpTo` belonged to an earlier, lost log. */
const logTailOf = (lostUpTo: number) => () =>
  ({
    recent: { get: () => undefined },
    end: () => 100,
    isLost: (offset: number) => offset <= lostUpTo,
  }) as unknown as LogTail
const logTail = logTailOf(-1)

const entryOf = (event: { name: string }, payload: object): LogEntry => ({
  ...{ stream: 's', source: 'messaging', seq: 1, xid: 1, at: 0, realm_id: 1, request_id: null },
  event: event.name,
  payload,
})
const submessage = (length: number): LogEntry =>
  entryOf(domainEvents.messaging.submessageAdded, {
    submessage: {
      ...{ id: 1, message_id: 1, sender_id: 1, msg_type: 'widget' },
      content: 'x'.repeat(length),
    },
  })
const read = (messageId: number): LogEntry =>
  entryOf(domainEvents.messaging.messageFlagsUpdated, {
    ...{ user_id: 7, op: 'add', flag: 'read', messages: [messageId], all: false },
  })

/** The same entry with a longer text. */
const padded = (entry: LogEntry, length: number): LogEntry =>
  ({ ...entry, padding: 'x'.repeat(length) }) as LogEntry

/** Reads a partition with these entries at offsets 0, 1, 2…; `reads` has the number of entries of each read. */
function readerOf(entries: readonly LogEntry[], tail = logTail) {
  const reads: number[] = []
  const store = {
    payloads: async (_: number, offsets: readonly number[], maxLength: number) => {
      const texts: string[] = []
      for (let length = 0; length <= maxLength && texts.length < offsets.length; ) {
        const text = JSON.stringify(entries[offsets[texts.length] as number])
        texts.push(text)
        length += text.length
      }
      reads.push(texts.length)
      return texts
    },
  } as unknown as PartitionStore
  const reader = createEventReader(tail, store)
  const ids = entries.map((_, offset) => eventIdOf(offset, 0))
  return { reader, ids, reads }
}

test('returns very large events a few at a time, and all of them in the end', async () => {
  const { reader, ids } = readerOf(Array.from({ length: 12 }, () => submessage(1_000_000)))
  const answers: number[] = []
  let waiting = ids
  while (waiting.length > 0) {
    const { texts, eventIds } = await reader.render(0, queue, waiting, JOIN_NOTHING)
    expect(texts.map((text) => (JSON.parse(text) as { id: number }).id)).toEqual(eventIds)
    expect(eventIds).toEqual(waiting.slice(0, eventIds.length))
    answers.push(eventIds.length)
    waiting = waiting.slice(eventIds.length)
  }

  expect(answers).toEqual([4, 4, 4])
})

test('returns an event that is larger than an answer by itself', async () => {
  const { reader, ids } = readerOf([submessage(MAX_ANSWER_LENGTH + 1), submessage(1)])

  expect((await reader.render(0, queue, ids, JOIN_NOTHING)).eventIds).toEqual(ids.slice(0, 1))
})

test('an answer that ends early never splits joined events, even if it is repeated', async () => {
  const large = Array.from({ length: 3 }, () => submessage(1_000_000))
  // The first read ends between the two events to be joined.
  const { reader, ids, reads } = readerOf([...large, padded(read(1), 1_500_000), read(2), submessage(10)])

  const first = await reader.render(0, queue, ids, parseDeliveryBoundaries(''))
  expect(reads).toEqual([4])
  const again = await reader.render(0, queue, ids, parseDeliveryBoundaries(''))
  const next = await reader.render(0, queue, ids.slice(first.eventIds.length), parseDeliveryBoundaries(''))

  expect(first.eventIds).toEqual(ids.slice(0, 3))
  // By now the second of the two is in memory as well.
  expect(again.eventIds).toEqual(ids)
  expect(again.texts.slice(0, 3).join() === first.texts.join()).toBe(true)
  expect(JSON.parse(next.texts[0] ?? '')).toMatchObject({ id: ids[4], messages: [1, 2] })
})

test('reads a long run of joined events completely', async () => {
  // Together they are longer than one read.
  const many = Array.from({ length: 40 }, (_, at) => padded(read(at), 200_000))
  const { reader, ids, reads } = readerOf(many)

  const { texts, eventIds } = await reader.render(0, queue, ids, parseDeliveryBoundaries(''))

  expect(reads.length).toBeGreaterThan(1)
  expect(eventIds).toEqual(ids)
  expect(texts.map((text) => (JSON.parse(text) as { id: number }).id)).toEqual([ids.at(-1)])
})

test('reads entries that many queues need only once', async () => {
  const { reader, ids, reads } = readerOf([submessage(10), submessage(10)])

  await reader.render(0, queue, ids, JOIN_NOTHING)
  await reader.render(0, queue, ids, JOIN_NOTHING)
  expect(reads).toEqual([2])

  reader.clear()
  await reader.render(0, queue, ids, JOIN_NOTHING)
  expect(reads).toEqual([2, 2])
})

test('does not cache entries of a lost log, whose offsets the new log reuses', async () => {
  const { reader, ids, reads } = readerOf([submessage(10), submessage(10), submessage(10)], logTailOf(1))

  await reader.render(0, queue, ids, JOIN_NOTHING)
  await reader.render(0, queue, ids, JOIN_NOTHING)
  expect(reads).toEqual([3, 2])
})

test('throws if an entry of the queue is missing', async () => {
  const store = { payloads: async () => [null] } as unknown as PartitionStore

  await expect(
    createEventReader(logTail, store).render(0, queue, [eventIdOf(5, 0)], JOIN_NOTHING),
  ).rejects.toThrow('no payload at offset 5')
})

test('an event of a newer release in a queue is rendered as a heartbeat', async () => {
  const { reader, ids } = readerOf([entryOf({ name: 'messaging.something_new.v1' }, { some: 'field' })])

  const { texts } = await reader.render(0, queue, ids, JOIN_NOTHING)

  expect(texts.map((text) => JSON.parse(text))).toEqual([{ id: ids[0], type: 'heartbeat' }])
})

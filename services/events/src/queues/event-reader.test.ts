import { domainEvents, type LogEntry } from '@tms/contracts'
import { expect, test } from 'vitest'
import type { LogTail } from '../log/log-tail.ts'
import { eventIdOf } from '../partitions/event-id.ts'
import type { PartitionStore } from '../redis/partition-store.ts'
import type { RenderedQueue } from '../rendering/presentation.ts'
import { createEventReader, MAX_ANSWER_LENGTH } from './event-reader.ts'
import { parseTold, TOLD_SINGLY } from './told.ts'

const queue = { queue_id: 'q', user_id: 7 } as RenderedQueue
/** Of a log whose offsets up to the one given are not those of the log before it. */
const feedOf = (lostUpTo: number) => () =>
  ({
    recent: { get: () => undefined },
    end: () => 100,
    isLost: (offset: number) => offset <= lostUpTo,
  }) as unknown as LogTail
const feed = feedOf(-1)

const entryOf = (event: { name: string }, payload: object): LogEntry => ({
  ...{ stream: 's', source: 'messaging', seq: 1, xid: 1, realm_id: 1, request_id: null },
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

/** The same in a longer text. */
const padded = (entry: LogEntry, length: number): LogEntry =>
  ({ ...entry, padding: 'x'.repeat(length) }) as LogEntry

/** A partition that keeps these entries, at offsets 0, 1, 2…; what is asked of it is noted. */
function keeping(entries: readonly LogEntry[], of = feed) {
  const readings: number[] = []
  const store = {
    payloads: async (_: number, offsets: readonly number[], maxLength: number) => {
      const texts: string[] = []
      for (let length = 0; length <= maxLength && texts.length < offsets.length; ) {
        const text = JSON.stringify(entries[offsets[texts.length] as number])
        texts.push(text)
        length += text.length
      }
      readings.push(texts.length)
      return texts
    },
  } as unknown as PartitionStore
  const reader = createEventReader(of, store)
  const ids = entries.map((_, offset) => eventIdOf(offset, 0))
  return { reader, ids, readings }
}

test('very large events come a few at a time, and all of them in the end', async () => {
  const { reader, ids } = keeping(Array.from({ length: 12 }, () => submessage(1_000_000)))
  const answers: number[] = []
  let waiting = ids
  while (waiting.length > 0) {
    const { texts, eventIds } = await reader.render(0, queue, waiting, TOLD_SINGLY)
    expect(texts.map((text) => (JSON.parse(text) as { id: number }).id)).toEqual(eventIds)
    expect(eventIds).toEqual(waiting.slice(0, eventIds.length))
    answers.push(eventIds.length)
    waiting = waiting.slice(eventIds.length)
  }

  expect(answers).toEqual([4, 4, 4])
})

test('one that is larger than an answer comes by itself', async () => {
  const { reader, ids } = keeping([submessage(MAX_ANSWER_LENGTH + 1), submessage(1)])

  expect((await reader.render(0, queue, ids, TOLD_SINGLY)).eventIds).toEqual(ids.slice(0, 1))
})

test('an answer that ends early splits none that are told as one, however often it is given', async () => {
  const large = Array.from({ length: 3 }, () => submessage(1_000_000))
  // What is read at once ends between the two.
  const { reader, ids, readings } = keeping([...large, padded(read(1), 1_500_000), read(2), submessage(10)])

  const first = await reader.render(0, queue, ids, parseTold(''))
  expect(readings).toEqual([4])
  const again = await reader.render(0, queue, ids, parseTold(''))
  const next = await reader.render(0, queue, ids.slice(first.eventIds.length), parseTold(''))

  expect(first.eventIds).toEqual(ids.slice(0, 3))
  // By now the second of the two is known as well.
  expect(again.eventIds).toEqual(ids)
  expect(again.texts.slice(0, 3).join() === first.texts.join()).toBe(true)
  expect(JSON.parse(next.texts[0] ?? '')).toMatchObject({ id: ids[4], messages: [1, 2] })
})

test('a long run of those that are told as one is read whole', async () => {
  // Together they are more than is read at once.
  const many = Array.from({ length: 40 }, (_, at) => padded(read(at), 200_000))
  const { reader, ids, readings } = keeping(many)

  const { texts, eventIds } = await reader.render(0, queue, ids, parseTold(''))

  expect(readings.length).toBeGreaterThan(1)
  expect(eventIds).toEqual(ids)
  expect(texts.map((text) => (JSON.parse(text) as { id: number }).id)).toEqual([ids.at(-1)])
})

test('entries that many queues come back to are read once', async () => {
  const { reader, ids, readings } = keeping([submessage(10), submessage(10)])

  await reader.render(0, queue, ids, TOLD_SINGLY)
  await reader.render(0, queue, ids, TOLD_SINGLY)
  expect(readings).toEqual([2])

  reader.clear()
  await reader.render(0, queue, ids, TOLD_SINGLY)
  expect(readings).toEqual([2, 2])
})

test('entries of a log that was lost are not taken for those of the one that began anew', async () => {
  const { reader, ids, readings } = keeping([submessage(10), submessage(10), submessage(10)], feedOf(1))

  await reader.render(0, queue, ids, TOLD_SINGLY)
  await reader.render(0, queue, ids, TOLD_SINGLY)
  expect(readings).toEqual([3, 2])
})

test('a queue whose entries are gone was closed', async () => {
  const store = { payloads: async () => [null] } as unknown as PartitionStore

  await expect(
    createEventReader(feed, store).render(0, queue, [eventIdOf(5, 0)], TOLD_SINGLY),
  ).rejects.toThrow('no payload at offset 5')
})

import { EventEmitter } from 'node:events'
import { domainEvents, type LogEntry } from '@tms/contracts'
import { type Broker, createLog } from '@tms/service-kit'
import { afterEach, expect, test } from 'vitest'
import type { LogRecord } from './entry.ts'
import { type LogTail, startLogTail } from './log-tail.ts'
import { markOf } from './same-log.ts'

/** A stream as readers see it: what is older than its first entry has been dropped. */
class ScriptedStream {
  first = 0
  readonly bodies: string[] = []
  readonly #arrivals = new EventEmitter()

  append(body: string): void {
    this.bodies.push(body)
    this.#arrivals.emit('entry')
  }

  get broker(): Broker {
    const open = async () => Object.assign(new EventEmitter(), this.#channel())
    const broker = {
      ...{ channel: open, confirmChannel: open },
      onConnected: (listener: () => void) => {
        setImmediate(listener)
        return () => {}
      },
      ...{ declare: async () => {}, reconnect: () => {}, check: async () => {}, close: async () => {} },
    }
    return broker as unknown as Broker
  }

  #channel() {
    let isOpen = true
    const consume = async (
      _: string,
      onMessage: (message: object) => void,
      { arguments: { 'x-stream-offset': from } }: { arguments: { 'x-stream-offset': number | 'next' } },
    ) => {
      let next = from === 'next' ? this.bodies.length : Math.max(from, this.first)
      const deliver = () => {
        while (isOpen && next < this.bodies.length) {
          const headers = { 'x-stream-offset': next }
          onMessage({ properties: { headers }, content: Buffer.from(this.bodies[next++] ?? '') })
        }
      }
      this.#arrivals.on('entry', deliver)
      setImmediate(deliver)
    }
    return {
      ...{ consume, prefetch: async () => {}, ack: () => {}, waitForConfirms: async () => {} },
      sendToQueue: (_: string, body: Buffer) => this.append(body.toString()),
      close: async () => {
        isOpen = false
      },
    }
  }
}

const textOf = (seq: number): string =>
  JSON.stringify({
    ...{ stream: 's', source: 'messaging', seq, xid: seq, realm_id: 1, request_id: null },
    event: domainEvents.messaging.messageSent.name,
    payload: {},
  } satisfies LogEntry)

let feed: LogTail
afterEach(() => feed.close())

/** A feed at the end of a stream of a hundred entries, and what comes of it. */
async function start() {
  const stream = new ScriptedStream()
  for (let seq = 1; seq <= 100; seq++) stream.append(textOf(seq))
  const read: number[] = []
  let losses = 0
  const log = createLog('test', 'silent')
  feed = startLogTail({
    ...{ broker: stream.broker, queue: 'domain.log', log, reachesClients: () => true },
    onRecord: ({ offset }: LogRecord) => void read.push(offset),
    onLogLost: () => {
      losses++
    },
  })
  await until(() => feed.head() !== null)
  return { stream, read, losses: () => losses }
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 4_000
  while (!isSo() && Date.now() < deadline) await new Promise((resolve) => setImmediate(resolve))
}

test('what was dropped before it was read ends those alone who stand before it', async () => {
  const { stream, losses } = await start()
  stream.first = 40

  feed.rewind({ offset: 10, mark: markOf(stream.bodies[10] ?? '') }, { s: 11 })
  await until(() => losses() === 1)

  expect([10, 38, 39, 100].map(feed.isLost)).toEqual([true, true, false, false])
})

test('those who stand just before what is kept go on there', async () => {
  const { stream, read, losses } = await start()
  stream.first = 40

  feed.rewind({ offset: 39, mark: markOf(stream.bodies[39] ?? '') }, { s: 40 })
  await until(() => read.includes(99))

  // Later ones are the marks by which the end was found.
  expect(read.filter((offset) => offset < 100)).toEqual(Array.from({ length: 60 }, (_, index) => 40 + index))
  expect(losses()).toBe(0)
})

test('a log that is another ends all who stood in the one before', async () => {
  const { losses } = await start()

  feed.rewind({ offset: 10, mark: markOf('what stood there') }, { s: 11 })
  await until(() => losses() === 1)

  expect([10, 39, 99].map(feed.isLost)).toEqual([true, true, true])
})

test('of a stretch that is read again only what is wanted is kept, with where the streams stood', async () => {
  const { stream } = await start()
  stream.append(stream.bodies[20] ?? '')

  const read = await feed.readRange(9, 101, { s: 10 }, ({ offset }) => offset % 50 === 0)

  expect(read.map(({ offset, positions }) => [offset, positions])).toEqual([
    [50, { s: 51 }],
    [100, { s: 100 }],
  ])
})

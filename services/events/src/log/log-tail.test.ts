import { EventEmitter } from 'node:events'
import { domainEvents, type LogEntry } from '@tms/contracts'
import { type Broker, createLog } from '@tms/service-kit'
import { afterEach, expect, test } from 'vitest'
import type { LogRecord } from './entry.ts'
import { type LogTail, startLogTail } from './log-tail.ts'
import { markOf } from './same-log.ts'

/** A stream as its readers see it; entries before `first` have been dropped. */
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
    ...{ stream: 's', source: 'messaging', seq, xid: seq, at: 0, realm_id: 1, request_id: null },
    event: domainEvents.messaging.messageSent.name,
    payload: {},
  } satisfies LogEntry)

let logTail: LogTail
afterEach(() => logTail.close())

/** Starts a log tail at the end of a stream of a hundred entries. Returns the offsets that it reads, and counts losses. */
async function start() {
  const stream = new ScriptedStream()
  for (let seq = 1; seq <= 100; seq++) stream.append(textOf(seq))
  const read: number[] = []
  let losses = 0
  const log = createLog('test', 'silent')
  logTail = startLogTail({
    ...{ broker: stream.broker, queue: 'domain.log', log, canReachClients: () => true },
    onRecord: ({ offset }: LogRecord) => void read.push(offset),
    onLogLost: () => {
      losses++
    },
  })
  await until(() => logTail.head() !== null)
  return { stream, read, losses: () => losses }
}

async function until(isDone: () => boolean): Promise<void> {
  const deadline = Date.now() + 4_000
  while (!isDone() && Date.now() < deadline) await new Promise((resolve) => setImmediate(resolve))
}

test('loses only the offsets before entries that were dropped unread', async () => {
  const { stream, losses } = await start()
  stream.first = 40

  logTail.rewind({ offset: 10, mark: markOf(stream.bodies[10] ?? '') }, { s: 11 })
  await until(() => losses() === 1)

  expect([10, 38, 39, 100].map(logTail.isLost)).toEqual([true, true, false, false])
})

test('continues from an offset just before the first entry that is left', async () => {
  const { stream, read, losses } = await start()
  stream.first = 40

  logTail.rewind({ offset: 39, mark: markOf(stream.bodies[39] ?? '') }, { s: 40 })
  await until(() => read.includes(99))

  // Later offsets are the marker entries by which the end was found.
  expect(read.filter((offset) => offset < 100)).toEqual(Array.from({ length: 60 }, (_, index) => 40 + index))
  expect(losses()).toBe(0)
})

test('loses all earlier offsets if the log is a new one', async () => {
  const { losses } = await start()

  logTail.rewind({ offset: 10, mark: markOf('another entry') }, { s: 11 })
  await until(() => losses() === 1)

  expect([10, 39, 99].map(logTail.isLost)).toEqual([true, true, true])
})

test('reads a range again and returns the wanted entries with the positions of the streams', async () => {
  const { stream } = await start()
  stream.append(stream.bodies[20] ?? '')

  const read = await logTail.readRange(9, 101, { s: 10 }, ({ offset }) => offset % 50 === 0)

  expect(read.map(({ offset, positions }) => [offset, positions])).toEqual([
    [50, { s: 51 }],
    [100, { s: 100 }],
  ])
})

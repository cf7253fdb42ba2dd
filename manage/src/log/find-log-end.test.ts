import { EventEmitter } from 'node:events'
import { type Broker, createLog } from '@tms/service-kit'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { failureOf } from '../failures.ts'
import { findLogEnd } from './find-log-end.ts'

const REFUSED = new Error('Operation failed: BasicConsume; 541 (INTERNAL-ERROR) no running replica')

type Deliver = (message: object) => void

/** Ends the channel, as a broker does that refuses: it is closed before the one who asked hears of it. */
function refuse(channel: EventEmitter, reason: Error): Promise<never> {
  const refused = Promise.reject(reason)
  refused.catch(() => {})
  channel.emit('close')
  return refused
}

/** A broker whose node answers so when a stream is read, and when it is asked for. */
function brokerWith({
  consume,
  check = async () => {},
}: {
  readonly consume: (channel: EventEmitter, deliver: Deliver) => Promise<unknown>
  readonly check?: (channel: EventEmitter) => Promise<unknown>
}): Broker {
  let reattach = () => {}
  const open = () => {
    const channel = new EventEmitter()
    return Object.assign(channel, {
      checkQueue: async () => {
        await check(channel)
        return { messageCount: 5 }
      },
      prefetch: async () => {},
      consume: (_queue: string, deliver: Deliver) => consume(channel, deliver),
      ack: () => {},
      close: async () => void channel.emit('close'),
    })
  }
  const broker = {
    channel: async () => open(),
    onConnected: (listener: () => void) => {
      reattach = listener
      return () => {}
    },
    reconnect: () => reattach(),
    check: async () => {},
  }
  return broker as unknown as Broker
}

const entryAt = (offset: number) => ({
  properties: { headers: { 'x-stream-offset': offset } },
  content: Buffer.from('{}'),
})
const find = (broker: Broker) =>
  findLogEnd({ broker, queue: 'the log', log: createLog('test', 'silent') }).catch(failureOf)

describe('the end of the log', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('is found at another node where one refuses to be read', async () => {
    vi.useFakeTimers()
    let isLeft = false
    const broker = brokerWith({
      consume: async (channel, deliver) => {
        if (!isLeft) return refuse(channel, REFUSED)
        for (const offset of [3, 4]) deliver(entryAt(offset))
      },
    })
    const { reconnect } = broker
    broker.reconnect = () => {
      isLeft = true
      reconnect()
    }
    const found = find(broker)
    await vi.advanceTimersByTimeAsync(10_000)

    expect(await found).toBe(4)
  })

  test('is not found where all refuse, which is told with the reason', async () => {
    vi.useFakeTimers()
    const found = find(brokerWith({ consume: (channel) => refuse(channel, REFUSED) }))
    await vi.advanceTimersByTimeAsync(20_000)

    expect(await found).toEqual({
      code: 3,
      message: `RabbitMQ does not hand out the newest entry of the log: ${REFUSED.message}`,
    })
  })

  test('is not found where the broker goes away meanwhile, which is told with the reason', async () => {
    const consume = async () => {}
    const gone = { consume, check: (channel: EventEmitter) => refuse(channel, new Error('Channel closed')) }
    const noLog = { consume, check: () => Promise.reject(Object.assign(new Error(), { code: 404 })) }

    expect(await find(brokerWith(gone))).toEqual({
      code: 3,
      message: 'RabbitMQ does not hand out the newest entry of the log: Channel closed',
    })
    expect(await find(brokerWith(noLog))).toMatchObject({ code: 1 })
  })
})

import { EventEmitter } from 'node:events'
import { type Broker, createLog } from '@tms/service-kit'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { describeFailure } from '../kernel/errors.ts'
import { findLogEnd } from './find-log-end.ts'

const REFUSED_READ = new Error('Operation failed: BasicConsume; 541 (INTERNAL-ERROR) no running replica')

type Deliver = (message: object) => void

/** Closes the channel before the request is rejected, as a broker does. */
function failChannel(channel: EventEmitter, reason: Error): Promise<never> {
  const refused = Promise.reject(reason)
  refused.catch(() => {})
  channel.emit('close')
  return refused
}

/** A broker with these answers to reading a stream and to checking that it exists. */
function createFakeBroker({
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

const createEntry = (offset: number) => ({
  properties: { headers: { 'x-stream-offset': offset } },
  content: Buffer.from('{}'),
})
const findEnd = (broker: Broker) =>
  findLogEnd({ broker, queue: 'the log', log: createLog('test', 'silent') }).catch(describeFailure)

describe('the end of the log', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('is found at another node if one refuses to read', async () => {
    vi.useFakeTimers()
    let hasReconnected = false
    const broker = createFakeBroker({
      consume: async (channel, deliver) => {
        if (!hasReconnected) return failChannel(channel, REFUSED_READ)
        for (const offset of [3, 4]) deliver(createEntry(offset))
      },
    })
    const { reconnect } = broker
    broker.reconnect = () => {
      hasReconnected = true
      reconnect()
    }
    const found = findEnd(broker)
    await vi.advanceTimersByTimeAsync(10_000)

    expect(await found).toBe(4)
  })

  test('fails with the reason if all nodes refuse to read', async () => {
    vi.useFakeTimers()
    const found = findEnd(createFakeBroker({ consume: (channel) => failChannel(channel, REFUSED_READ) }))
    await vi.advanceTimersByTimeAsync(20_000)

    expect(await found).toEqual({
      code: 3,
      message: `RabbitMQ does not deliver the newest entry of the log: ${REFUSED_READ.message}`,
    })
  })

  test('fails with the reason if the broker closes the channel meanwhile', async () => {
    const consume = async () => {}
    const closing = {
      consume,
      check: (channel: EventEmitter) => failChannel(channel, new Error('Channel closed')),
    }
    const noLog = { consume, check: () => Promise.reject(Object.assign(new Error(), { code: 404 })) }

    expect(await findEnd(createFakeBroker(closing))).toEqual({
      code: 3,
      message: 'RabbitMQ does not deliver the newest entry of the log: Channel closed',
    })
    expect(await findEnd(createFakeBroker(noLog))).toMatchObject({ code: 1 })
  })
})

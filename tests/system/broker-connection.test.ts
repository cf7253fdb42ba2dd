import { rm } from 'node:fs/promises'
import {
  type Broker,
  connectBroker,
  createLog,
  createLogReader,
  createPublisher,
  declareTopology,
  topologyOf,
} from '@tms/service-kit'
import { createTestFolder, provideTestServers } from '@tms/test-kit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts'
import { until } from './support/until.ts'

const log = createLog('test', 'silent')
const dataDir = createTestFolder(process.env)
let servers: Awaited<ReturnType<typeof provideTestServers>>['servers']
beforeAll(async () => {
  ;({ servers } = await provideTestServers({ dataDir, env: process.env, wantsOwn: false }))
}, 120_000)
afterAll(async () => {
  await servers.stop()
  await rm(dataDir, { recursive: true })
}, 60_000)

let proxy: TcpProxy
let url: string
let broker: Broker | null
beforeEach(async () => {
  const [firstNode = ''] = servers.rabbitmq.url.split(',')
  const behind = new URL(firstNode)
  proxy = await startTcpProxy({ host: behind.hostname, port: Number(behind.port) })
  behind.port = String(proxy.port)
  url = behind.toString()
  broker = null
})
afterEach(async () => {
  proxy.close()
  await broker?.close()
})

const untilConnected = (to: Broker): Promise<void> =>
  new Promise((resolve) => {
    to.onConnected(resolve)
  })

test('is made anew when the broker dies while it is told that a first attempt came to nothing', async () => {
  let attempts = 0
  broker = connectBroker(url, log, async () => {
    attempts++
    if (attempts > 1) return
    // Once it was said that the connection shall be closed, which is never answered.
    void proxy.silence().then(proxy.cut)
    throw new Error('the streams are still coming up')
  })

  await untilConnected(broker)
  expect(attempts).toBe(2)
  await (await broker.channel()).close()
})

test('is made anew when the broker dies after it was declared what there is', async () => {
  let attempts = 0
  broker = connectBroker(url, log, async () => {
    if (++attempts === 1) void proxy.silence().then(proxy.cut)
  })

  await untilConnected(broker)
  expect(attempts).toBe(2)
})

test('publishes again after a publish that was neither confirmed nor closed', async () => {
  broker = connectBroker(url, log, async (channel) => {
    await channel.assertExchange('tried', 'fanout', { autoDelete: true })
    const { queue } = await channel.assertQueue('', { autoDelete: true })
    await channel.bindQueue(queue, 'tried', '')
  })
  await untilConnected(broker)
  const publisher = createPublisher(broker, 'tried')
  await publisher.publish([{ routingKey: 'a', body: 'heard' }])

  void proxy.silence()
  const unheard = publisher.publish([{ routingKey: 'a', body: 'unheard' }])
  await expect(unheard).rejects.toThrow('the broker did not confirm in time')
  // Its channel is being closed by now.
  proxy.cut()

  const publishAgain = () => publisher.publish([{ routingKey: 'a', body: 'heard again' }])
  await until(() =>
    publishAgain().then(
      () => true,
      () => false,
    ),
  )
  await publisher.close()
}, 60_000)

test('publishes are given up in time while the broker reads nothing, and one channel does for all', async () => {
  // The broker would miss heartbeats here, which it doesn't of clients that it doesn't read.
  const patient = `${url}?heartbeat=60`
  let queue = ''
  broker = connectBroker(patient, log, async (channel) => {
    await channel.assertExchange('stalled', 'fanout', { autoDelete: true })
    ;({ queue } = await channel.assertQueue('', { autoDelete: true }))
    await channel.bindQueue(queue, 'stalled', '')
  })
  await untilConnected(broker)
  const present = broker
  let opened = 0
  const counting = {
    ...present,
    confirmChannel: () => {
      opened++
      return present.confirmChannel()
    },
  }
  const used = createPublisher(counting, 'stalled')
  const fresh = createPublisher(counting, 'stalled')
  const one = [{ routingKey: 'a', body: 'one' }]
  // More than a connection has channels.
  const many = (publisher: typeof used) => Array.from({ length: 3_000 }, () => publisher.publish(one))
  await Promise.all(many(used))
  expect(opened).toBe(1)

  const resume = proxy.stall()
  const begunAt = Date.now()
  const given = await Promise.allSettled([used.publish(one), ...many(fresh)])
  expect(Date.now() - begunAt).toBeLessThan(15_000)
  expect(given.filter(({ status }) => status === 'fulfilled')).toEqual([])

  resume()
  await Promise.all([...many(used), ...many(fresh)])
  expect(opened).toBe(3)
  // Of what was given up, that alone went out for which there was a channel.
  const channel = await broker.channel()
  expect((await channel.checkQueue(queue)).messageCount).toBe(3_000 + 1 + 6_000)
}, 60_000)

test('says why there is no connection', async () => {
  const wrong = new URL(url)
  wrong.password = 'wrong'
  broker = connectBroker(wrong.toString(), log, async () => {})
  const told = () =>
    broker?.check().then(
      () => undefined,
      ({ cause }: Error) => cause as Error | undefined,
    )
  await until(async () => (await told()) !== undefined)

  expect((await told())?.message).toContain('ACCESS_REFUSED')
})

test('calls nobody who has stopped listening', async () => {
  broker = connectBroker(url, log, async () => {})
  await untilConnected(broker)
  let heard = 0
  const stopListening = broker.onConnected(() => heard++)
  stopListening()
  const again = new Promise<void>((resolve) => {
    let times = 0
    broker?.onConnected(() => {
      if (++times === 2) resolve()
    })
  })
  proxy.cut()
  await again

  expect(heard).toBe(1)
})

/** Asking for what isn't there ends the channel. */
const isThere = async (queue: string): Promise<boolean> => {
  const channel = await broker?.channel()
  return channel?.checkQueue(queue).then(
    () => channel.close().then(() => true),
    () => false,
  ) as Promise<boolean>
}

test('no event is taken for stored whose stream somebody has deleted, and the stream is declared anew', async () => {
  const topology = topologyOf('deleted')
  broker = connectBroker(url, log, (channel) => declareTopology(channel, topology))
  await untilConnected(broker)
  const publisher = createPublisher(broker, topology.exchange)
  const read: string[] = []
  const reader = createLogReader({
    broker,
    queue: topology.log,
    log,
    onEntry: ({ body }) => void read.push(body),
    onDeleted: () => reader.seek('first'),
  })
  const channel = await broker.channel()
  try {
    await publisher.publish([{ routingKey: 'a', body: 'before' }])
    await channel.deleteQueue(topology.log)
    const lost = publisher.publish([{ routingKey: 'a', body: 'afterwards' }])
    await expect(lost).rejects.toThrow('the broker has no stream that takes it')
    await publisher.publish([{ routingKey: 'a', body: 'afterwards' }])
    reader.seek('first')
    await until(async () => read.length > 0)

    await channel.deleteQueue(topology.log)
    // By who reads it this time.
    await until(() => isThere(topology.log))
    // It is there before it is bound; what comes in between is refused, and published again, as by the relay.
    const isTaken = () =>
      publisher.publish([{ routingKey: 'a', body: 'once more' }]).then(
        () => true,
        () => false,
      )
    await until(isTaken)
    await until(async () => read.includes('once more'))
    expect(read).toEqual(['afterwards', 'once more'])
  } finally {
    await reader.close()
    await publisher.close()
    // What failed may have closed the other.
    const last = await broker.channel()
    await last.deleteQueue(topology.log)
    await last.deleteQueue(topology.projections)
    await last.deleteExchange(topology.exchange)
  }
})

test('who may not read a stream at one node tries the next, and says so once', async () => {
  const topology = topologyOf('refused')
  const met: unknown[] = []
  // A node without a copy of the stream, then another.
  broker = connectBroker(url, log, async (channel) => {
    if (!met.includes(channel.connection)) met.push(channel.connection)
    if (met.length > 1) await declareTopology(channel, topology)
  })
  const warned: unknown[] = []
  const noting = Object.assign(createLog('test', 'silent'), {
    warn: (fields: object) => warned.push(fields),
  })
  const read: string[] = []
  const reader = createLogReader({
    broker,
    queue: topology.log,
    log: noting,
    onEntry: ({ body }) => void read.push(body),
  })
  const publisher = createPublisher(broker, topology.exchange)
  try {
    reader.seek('first')
    await until(async () => (await reader.check().catch(() => 'refused')) === 'refused')
    await expect(reader.check()).rejects.toThrow(topology.log)
    expect(warned).toEqual([])

    await until(async () => (await reader.check().catch(() => 'refused')) === undefined)
    expect(met).toHaveLength(2)
    expect(warned).toEqual([{ err: expect.any(Error), queue: topology.log }])
    await publisher.publish([{ routingKey: 'a', body: 'there' }])
    await until(async () => read.length > 0)
  } finally {
    await reader.close()
    await publisher.close()
    const opened = broker
    await until(() =>
      opened.check().then(
        () => true,
        () => false,
      ),
    )
    const last = await broker.channel()
    await last.deleteQueue(topology.log)
    await last.deleteQueue(topology.projections)
    await last.deleteExchange(topology.exchange)
  }
})

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
})
afterAll(async () => {
  await servers.stop()
  await rm(dataDir, { recursive: true })
})

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

test('connects again when the broker dies while a first attempt is being reported as failed', async () => {
  let attempts = 0
  broker = connectBroker(url, log, async () => {
    attempts++
    if (attempts > 1) return
    // Once closing the connection was requested, which is never answered.
    void proxy.silence().then(proxy.cut)
    throw new Error('the streams are still coming up')
  })

  await untilConnected(broker)
  expect(attempts).toBe(2)
  await (await broker.channel()).close()
})

test('connects again when the broker dies after the topology was declared', async () => {
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
})

test('gives up publishes in time while the broker reads nothing, over a single channel', async () => {
  // The broker would miss heartbeats here; it does not check clients that it does not read.
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
  // More than the channels of a connection.
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
  // Of the abandoned publishes, only the one with a channel was sent.
  const channel = await broker.channel()
  expect((await channel.checkQueue(queue)).messageCount).toBe(3_000 + 1 + 6_000)
})

test('reports why there is no connection', async () => {
  const wrong = new URL(url)
  wrong.password = 'wrong'
  broker = connectBroker(wrong.toString(), log, async () => {})
  const findPermissionError = () =>
    broker?.check().then(
      () => undefined,
      ({ cause }: Error) => cause as Error | undefined,
    )
  await until(async () => (await findPermissionError()) !== undefined)

  expect((await findPermissionError())?.message).toContain('ACCESS_REFUSED')
})

test('does not call a listener that was removed', async () => {
  broker = connectBroker(url, log, async () => {})
  await untilConnected(broker)
  let connections = 0
  const stopListening = broker.onConnected(() => connections++)
  stopListening()
  const again = new Promise<void>((resolve) => {
    let times = 0
    broker?.onConnected(() => {
      if (++times === 2) resolve()
    })
  })
  proxy.cut()
  await again

  expect(connections).toBe(1)
})

/** Requesting a missing queue ends the channel. */
const isThere = async (queue: string): Promise<boolean> => {
  const channel = await broker?.channel()
  return channel?.checkQueue(queue).then(
    () => channel.close().then(() => true),
    () => false,
  ) as Promise<boolean>
}

test('declares a deleted stream again, and treats no event as stored in the deleted one', async () => {
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
    // By this time another reader has it.
    await until(() => isThere(topology.log))
    // It exists before it is bound; a publish in between is rejected, and published again, as by the relay.
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
    // The failed one may have closed the other.
    const last = await broker.channel()
    await last.deleteQueue(topology.log)
    await last.deleteQueue(topology.projections)
    await last.deleteQueue(topology.audit)
    await last.deleteExchange(topology.exchange)
  }
})

test('tries the next node when one denies reading a stream, and logs it once', async () => {
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
    await last.deleteQueue(topology.audit)
    await last.deleteExchange(topology.exchange)
  }
})

import { setTimeout as sleep } from 'node:timers/promises'
import type { Commands } from '../load/commands.ts'
import type { Memory } from '../probe/memory.ts'
import type { Child } from '../processes/child-process.ts'
import { startChild } from '../processes/child-process.ts'
import type { CpuUsage } from '../report/cpu-usage.ts'
import { asCount } from '../report/format.ts'
import type { SectionResult } from '../report/section.ts'
import { authorizationOf, portOf } from '../setup/population.ts'
import { type Bench, sendCall, senderOf, underLoad } from './bench.ts'
import { waitUntilPending } from './live-queues.ts'
import { type Bytes, type Measured, reportScale } from './scale-report.ts'
import { type LiveChannel, runTraffic, spreadOver } from './traffic.ts'

const REGISTER_AT_ONCE = 16
/** Accounts without a queue. */
const SENDERS = 16
/** The limit of open files of a load process is 20,000. */
const QUEUES_OF_A_READER = 10_000
const OPENED_AT_ONCE = 250
/** By then caches of the log, which do not depend on queues, are released. */
const IDLE_MS = 12_000

/** Channels with this number of readers get this share of the messages; there are `count` of each. */
const MIXED = [
  { size: 10, count: 20, share: 60 },
  { size: 30, count: 10, share: 30 },
  { size: 100, count: 5, share: 9.5 },
  { size: 1_000, count: 1, share: 0.5 },
]
const FEW = MIXED.slice(0, 3)

/**
 * A large number of live queues: the memory of a poll, the latency of deliveries, and whether the cost of each is the same as
 * among few.
 */
export async function measureScale(bench: Bench): Promise<SectionResult> {
  const { fewQueues, queues, messagesPerSecond, compareSeconds, sustainedSeconds } = bench.sizes.scale
  const readers: Child<Commands>[] = [bench.listeners]
  try {
    const few = await createChannels(bench, 'few', FEW, fewQueues)
    const mixed = await createChannels(
      bench,
      'mixed',
      MIXED.filter(({ size }) => size <= queues),
      queues,
    )
    await bench.population.analyze()

    const run = (name: string, count: number, of: Channels, seconds: number): Promise<Measured> =>
      measureTraffic(bench, { name, queues: count, readers, ...of, seconds })
    await open(bench, readers, 0, fewQueues)
    const idleFew = await measureIdle(bench, fewQueues)
    const amongFew = await run(`among ${asCount(fewQueues)}`, fewQueues, few, compareSeconds)
    // After some work, so that one-time costs of a process are not attributed to queues.
    const warm = await memoryOf(bench)
    const opening = await open(bench, readers, fewQueues, queues)
    const full = await memoryOf(bench)
    const idleAll = await measureIdle(bench, queues)
    const amongAll = await run(`among ${asCount(queues)}`, queues, few, compareSeconds)
    const sustained = await run(`to all of ${asCount(queues)}`, queues, mixed, sustainedSeconds)
    const after = await memoryOf(bench)
    const retries = await Promise.all(readers.map((reader) => reader.call('retries')))
    return reportScale({
      measured: [amongFew, amongAll, sustained],
      idle: { few: idleFew, all: idleAll },
      perQueue: {
        full: perQueue(warm, full, queues - fewQueues),
        after: perQueue(warm, after, queues - fewQueues),
      },
      registersPerSecond: opening,
      retries: retries.map(({ reasons }) => reasons),
      messagesPerSecond,
    })
  } finally {
    await bench.listeners.call('stopPolling').catch(() => {})
    for (const reader of readers.slice(1)) reader.stop()
  }
}

interface Channels {
  readonly channels: readonly LiveChannel[]
  readonly shares: readonly number[]
}

/** Channels of distinct readers if there are enough, from the first accounts with a queue. */
async function createChannels(
  bench: Bench,
  name: string,
  kinds: typeof MIXED,
  queues: number,
): Promise<Channels> {
  const live = bench.population.accounts.slice(SENDERS, SENDERS + queues)
  const channels: LiveChannel[] = []
  const shares: number[] = []
  let next = 0
  for (const { size, count, share } of kinds) {
    const there = Math.min(count, Math.floor(queues / size))
    for (let i = 0; i < there; i++) {
      if (next + size > live.length) next = 0
      const members = live.slice(next, next + size)
      next += size
      const channelId = await bench.population.createChannelOf(`${name} ${size} ${i}`, members)
      const sender = senderOf(bench.population, channels.length % SENDERS)
      channels.push({ size, call: sendCall(bench, sender, channelId) })
      shares.push(share / there)
    }
  }
  return { channels, shares }
}

/**
 * Opens the given number of queues, each with a poll soon after, as clients do: polls that start at once would all have their
 * heartbeat in the same ten seconds. Returns the registrations per second.
 */
async function open(bench: Bench, readers: Child<Commands>[], from: number, to: number): Promise<number> {
  const done = bench.progress.step(`opening ${asCount(to - from)} queues`)
  const startedAt = performance.now()
  for (let first = from; first < to; ) {
    const index = Math.floor(first / QUEUES_OF_A_READER)
    const end = Math.min(to, first + OPENED_AT_ONCE, (index + 1) * QUEUES_OF_A_READER)
    const reader = readers[index] ?? startChild<Commands>('load/main')
    if (!readers.includes(reader)) readers.push(reader)
    const authorizations = bench.population.accounts
      .slice(SENDERS + first, SENDERS + end)
      .map(authorizationOf)
    const ports = bench.system.urls.gateway.map(portOf)
    await reader.call('register', { ports, authorizations, concurrency: REGISTER_AT_ONCE })
    await reader.call('follow', {})
    first = end
  }
  await waitUntilPending(bench, to)
  done()
  return ((to - from) / (performance.now() - startedAt)) * 1_000
}

/** The CPU of this number of queues without messages: heartbeats, and background work. */
async function measureIdle(bench: Bench, queues: number): Promise<CpuUsage> {
  const wait = () => sleep(bench.sizes.scale.compareSeconds * 1_000)
  return (await underLoad(bench, `${asCount(queues)} queues without messages`, wait)).usage
}

async function measureTraffic(
  bench: Bench,
  options: Channels & { name: string; queues: number; readers: readonly Child<Commands>[]; seconds: number },
): Promise<Measured> {
  const { name, queues, readers, channels, shares, seconds } = options
  const perSecond = bench.sizes.scale.messagesPerSecond
  const order = spreadOver(shares, seconds * perSecond)
  const warmUp = order.slice(0, perSecond)
  await runTraffic(bench, { readers, channels, order: warmUp, perSecond })
  const { result, usage } = await underLoad(bench, `messages ${name} queues`, () =>
    runTraffic(bench, { readers, channels, order, perSecond }),
  )
  return { name, queues, traffic: result, usage }
}

/** Bytes of all gateways and of all replicas of events, after garbage collection. */
async function memoryOf(bench: Bench): Promise<Bytes> {
  await sleep(IDLE_MS)
  const [gateway, events] = await Promise.all([
    bench.callProbes('gateway', 'memory'),
    bench.callProbes('events', 'memory'),
  ])
  return { gateway: sumOf(gateway), events: sumOf(events) }
}

const sumOf = (all: readonly Memory[]): Memory => ({
  rss: all.reduce((total, { rss }) => total + rss, 0),
  live: all.reduce((total, { live }) => total + live, 0),
})

function perQueue(before: Bytes, now: Bytes, queues: number): Bytes {
  const growth = (from: Memory, to: Memory): Memory => ({
    rss: (to.rss - from.rss) / queues,
    live: (to.live - from.live) / queues,
  })
  return { gateway: growth(before.gateway, now.gateway), events: growth(before.events, now.events) }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { asMs } from '../report/format.ts'
import type { SectionResult } from '../report/section.ts'
import { spreadOf } from '../report/statistics.ts'
import { authorizationOf, portOf } from '../setup/population.ts'
import { type Bench, sendCall, senderOf } from './bench.ts'
import { waitUntilPending } from './live-queues.ts'
import { countOwned, watchOwnership } from './ownership.ts'
import { runTraffic } from './traffic.ts'

/** Target: partitions move within this time. */
const MAX_MS = 2_000
const REGISTER_AT_ONCE = 16
/** Messages before the restart, as the baseline. */
const QUIET_MS = 2_000
/** Accounts without a queue. */
const SENDERS = 1

/** How long clients wait while replicas of events start, stop and crash, and how long partitions take to move. */
export async function measureHandover(bench: Bench): Promise<SectionResult> {
  const { sizes, population, listeners, system } = bench
  const { queues, messagesPerSecond, seconds } = sizes.handover
  const readers = population.accounts.slice(SENDERS, SENDERS + queues)
  const channelId = await population.createChannelOf('handover', readers)
  await population.analyze()
  await listeners.call('register', {
    ports: system.urls.gateway.map(portOf),
    authorizations: readers.map(authorizationOf),
    concurrency: REGISTER_AT_ONCE,
  })
  await listeners.call('follow', {})
  await waitUntilPending(bench, queues)

  const channels = [{ size: queues, call: sendCall(bench, senderOf(population), channelId) }]
  const order = Array.from({ length: messagesPerSecond * seconds }, () => 0)
  const [first, second] = [system.replica('events', 0), system.replica('events', 1)]
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['nothing happens', async () => {}],
    ['a replica is stopped (SIGTERM)', () => first.stop()],
    ['a replica comes', () => first.start()],
    ['a replica is killed (SIGKILL)', () => second.kill('SIGKILL')],
    ['it comes back', () => second.start()],
  ]
  const measured = []
  const urls = system.urls.events
  const ownership = watchOwnership(urls, await countOwned(urls))
  for (const [what, act] of steps) {
    const done = bench.progress.step(`messages while ${what}`)
    ownership.begin()
    const before = await listeners.call('retries')
    const { latencies } = await runTraffic(bench, {
      readers: [listeners],
      channels,
      order,
      perSecond: messagesPerSecond,
      meanwhile: async () => {
        await sleep(QUIET_MS)
        await act()
      },
    })
    const after = await listeners.call('retries')
    measured.push({
      what,
      move: ownership.longestMove(),
      ...spreadOf([...latencies.values()].flat()),
      retries: after.count - before.count,
      lastRetry: after.last,
    })
    done()
  }
  await ownership.stop()
  await listeners.call('stopPolling')
  return {
    tables: [
      {
        title: 'While replicas of events come and go',
        columns: ['what happens', 'partitions move', 'p50', 'p99', 'longest', 'polls that failed'],
        rows: measured.map(({ what, move, p50, p99, max, retries }) => [
          what,
          asMs(move),
          asMs(p50),
          asMs(p99),
          asMs(max),
          String(retries),
        ]),
        notes: [
          `${queues} queues on two replicas, ${messagesPerSecond} messages per second to all of them for ${seconds} s each; from when a message is due to its arrival`,
          'partitions move: from when one has no owner until all have one again, to within 0.1 s',
        ],
      },
    ],
    targets: measured.slice(1).map(({ what, move }) => ({
      name: `partitions move while ${what}`,
      limit: MAX_MS,
      measured: move,
      unit: ' ms',
    })),
    data: measured,
  }
}

import type { ServiceName } from '@tms/local-system'
import type { Call } from '../load/http-call.ts'
import type { Broadcast } from '../load/listeners.ts'
import { asCount, asMs } from '../report/format.ts'
import { costOf } from '../report/measured-costs.ts'
import type { SectionResult } from '../report/section.ts'
import { medianOf } from '../report/statistics.ts'
import { authorizationOf, portOf } from '../setup/population.ts'
import { type Bench, describeCost, describeUsage, sendCall, senderOf, underLoad } from './bench.ts'

/** Senders of the stream of messages. */
const SENDERS = 4
const CALLS_AT_ONCE = 16
/** Messages that come before the measured ones, as their share: as for the bare parts, the first cost more, until code is compiled. */
const WARM_UP_SHARE = 0.5
/** Messages whose first and last arrival are measured: each is sent once all clients wait. */
const MOST_SPACED = 20
/** How clients wait for their events. */
const WAYS = ['polls', 'streams'] as const
const COST_NAMES = { polls: 'pollDelivery', streams: 'streamDelivery' } as const
/** Processes that each delivery goes through. */
const DELIVERING = ['gateway', 'events', 'redis']

/** Messages to one channel whose subscribers all wait with a long-poll, then with a stream, each as a separate user. */
export async function measureLiveQueues(bench: Bench): Promise<SectionResult> {
  const { sizes, population, listeners } = bench
  const most = Math.max(...sizes.queueLoads.map(({ queues }) => queues))
  // The senders and the owner have no queue, so each delivery goes to another user.
  const channelId = await population.createChannel('live', SENDERS + most + 1)
  await population.analyze()
  const calls = Array.from({ length: SENDERS }, (_, i) => sendCall(bench, senderOf(population, i), channelId))
  const [call] = calls
  if (!call) throw new Error('there is no sender')

  const measured = []
  let opened = 0
  let delivered = 0
  for (const { queues, singly, streamed } of sizes.queueLoads) {
    const authorizations = population.accounts.slice(SENDERS + opened, SENDERS + queues).map(authorizationOf)
    const registering = await underLoad(bench, `registering ${authorizations.length} queues`, async () => {
      const startedAt = performance.now()
      await listeners.call('register', {
        ports: [portOf(bench.system.baseUrl)],
        authorizations,
        concurrency: CALLS_AT_ONCE,
      })
      return authorizations.length / ((performance.now() - startedAt) / 1000)
    })
    opened = queues
    for (const by of WAYS) {
      await listeners.call('unfollow')
      await waitUntilPending(bench, 0)
      await listeners.call('follow', { by })
      await waitUntilPending(bench, queues)

      const warmUp = Math.ceil(singly * WARM_UP_SHARE)
      await listeners.call('broadcast', { call, messages: warmUp })
      delivered += warmUp * queues
      const spaced = await underLoad(bench, `${queues} queues by ${by}, a message when all wait`, () =>
        sendSpaced(bench, call, { queues, messages: Math.min(singly, MOST_SPACED) }),
      )
      delivered += spaced.result.length * queues
      const lookupsBefore = await readMetric(bench, 'gateway', 'gateway_identity_lookups_total', 'miss')
      const one = await underLoad(bench, `${queues} queues by ${by}, message by message`, () =>
        listeners.call('broadcast', { call, messages: singly }),
      )
      delivered += singly * queues
      const many = await underLoad(bench, `${queues} queues by ${by}, messages at once`, async (senders) => {
        const received = listeners.call('untilReceived', {
          count: delivered + streamed * queues,
        })
        const [{ startedAt, endedAt }, lastAt] = await Promise.all([
          senders.call('sendTotal', { calls, total: streamed }),
          received,
        ])
        return { sendSeconds: (endedAt - startedAt) / 1000, seconds: (lastAt - startedAt) / 1000 }
      })
      delivered += streamed * queues
      const retries = await listeners.call('retries')
      const lookups =
        (await readMetric(bench, 'gateway', 'gateway_identity_lookups_total', 'miss')) - lookupsBefore
      measured.push({
        queues,
        by,
        /** Since the first poll of this part. */
        retries,
        /** How often the gateway had to request identities from users. */
        lookups,
        registersPerSecond: registering.result,
        firstMs: medianOf(spaced.result.map(({ firstMs }) => firstMs)),
        lastMs: medianOf(spaced.result.map(({ lastMs }) => lastMs)),
        /** Clients that have the message before come back meanwhile, so this rate can be kept up, but for the pauses between messages. */
        perSecondSingly: medianOf(one.result.map(({ lastMs }) => (queues / lastMs) * 1000)),
        perSecondStreamed: (streamed * queues) / many.result.seconds,
        sendsPerSecond: streamed / many.result.sendSeconds,
        streamed,
        micros: costOf({ ...one, count: singly * queues }),
        costs: {
          singly: describeCost({ ...one, count: singly * queues }, DELIVERING),
          streamed: describeCost({ ...many, count: streamed * queues }, DELIVERING),
        },
        usage: { registering: registering.usage, singly: one.usage, streamed: many.usage },
      })
    }
  }
  await listeners.call('deleteQueues', { concurrency: CALLS_AT_ONCE })
  await listeners.call('stopPolling')

  return {
    tables: [
      {
        title: 'Deliveries per second',
        columns: [
          'live queues',
          'by',
          'registered per second',
          'message by message',
          'first, last of a message',
          'messages at once',
          'sent per second meanwhile',
        ],
        rows: measured.map((load) => [
          asCount(load.queues),
          load.by,
          asCount(load.registersPerSecond),
          asCount(load.perSecondSingly),
          `${asMs(load.firstMs)}, ${asMs(load.lastMs)}`,
          asCount(load.perSecondStreamed),
          asCount(load.sendsPerSecond),
        ]),
        notes: measured.flatMap(({ queues, by, usage, costs, retries, lookups }) => [
          `${asCount(queues)} queues by ${by}: the gateway asked users ${asCount(lookups)} times for an identity`,
          `busy cores, ${asCount(queues)} queues by ${by}, message by message: ${describeUsage(usage.singly)}; CPU of a delivery ${costs.singly}`,
          `busy cores, ${asCount(queues)} queues by ${by}, messages at once: ${describeUsage(usage.streamed)}; CPU of a delivery ${costs.streamed}`,
          ...(retries.count > 0
            ? [`polls that had to be repeated so far: ${asCount(retries.count)} (${retries.last})`]
            : []),
        ]),
      },
    ],
    data: measured,
    // Of so few queues the send that they share is the largest part.
    bars: measured
      .filter(({ queues }) => queues >= 1_000)
      .map(({ queues, by, micros }) => ({
        chart: 'delivery',
        label: `one of ${asCount(queues)} ${by}`,
        value: DELIVERING.reduce((sum, name) => sum + (micros[name] ?? 0), 0),
        isOther: false,
      })),
    costs: {
      micros: Object.fromEntries(
        // Of the most queues: the send that all of these share counts less.
        measured.slice(-WAYS.length).map(({ by, micros }) => [COST_NAMES[by], micros]),
      ),
    },
  }
}

/** Sends messages sequentially, each once so many clients wait. */
async function sendSpaced(
  bench: Bench,
  call: Call,
  { queues, messages }: { readonly queues: number; readonly messages: number },
): Promise<Broadcast[]> {
  const results: Broadcast[] = []
  for (let i = 0; i < messages; i++) {
    await waitUntilPending(bench, queues)
    results.push(...(await bench.listeners.call('broadcast', { call, messages: 1 })))
  }
  return results
}

/** Waits until events has this number of pending polls. */
export async function waitUntilPending(bench: Bench, count: number): Promise<void> {
  const deadline = performance.now() + 60_000
  for (;;) {
    const polls = await readMetric(bench, 'events', 'event_pending_polls')
    if (polls === count) return
    if (performance.now() > deadline) {
      const { count: failed, last } = await bench.listeners.call('retries')
      throw new Error(`${polls} polls are pending instead of ${count}; ${failed} failed ${last}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** The sum of a metric over all replicas of a service, and over all labels except the given ones. */
export async function readMetric(
  bench: Bench,
  service: ServiceName,
  name: string,
  label = '',
): Promise<number> {
  const texts = await Promise.all(
    bench.system.urls[service].map(async (url) => (await fetch(`${url}/metrics`)).text()),
  )
  return texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => /^\w+/.exec(line)?.[0] === name && line.includes(label))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

import { PENDING_PATH } from '../bare/bare-servers.ts'
import type { Memory } from '../probe/memory.ts'
import { asKb } from '../report/format.ts'
import type { SectionResult, Target } from '../report/section.ts'
import { authorizationOf, portOf } from '../setup/population.ts'
import { type Bench, senderOf } from './bench.ts'
import { waitUntilPending } from './live-queues.ts'

/** Targets: an idle client, gateway and events together. */
const MAX_KB = { polls: 25, streams: 15 } as const
const CALLS_AT_ONCE = 16
/** By then idle connections of the registration and buffers are released. */
const IDLE_MS = 3_000

interface Pair {
  readonly front: Memory
  readonly back: Memory
}

type Way = 'polls' | 'streams'

/** Memory of gateway and events for a waiting client, by poll and by stream, beside the same with bare servers. */
export async function measurePollMemory(bench: Bench): Promise<SectionResult> {
  const { sizes } = bench
  const { from, to } = sizes.pendingPolls
  const bare = await measureBare(bench)
  const byPolls = await measureSystem(bench, 'polls', 0)
  const byStreams = await measureSystem(bench, 'streams', to)

  const perClient = (a: Pair, b: Pair, count: number) => ({
    front: { rss: (b.front.rss - a.front.rss) / count, live: (b.front.live - a.front.live) / count },
    back: { rss: (b.back.rss - a.back.rss) / count, live: (b.back.live - a.back.live) / count },
  })
  const grownBy = ({ grown, waiting }: Growth) => perClient(grown, waiting, to - from)
  const [all, streaming] = [grownBy(byPolls), grownBy(byStreams)]
  const pollOnly = perClient(byPolls.opened, byPolls.waiting, to - from)
  const streamOnly = perClient(byStreams.opened, byStreams.waiting, to - from)
  const rowOf = (name: string, kind: keyof Memory, { front, back }: Pair) => [
    name,
    asKb(front[kind]),
    asKb(back[kind]),
    asKb(front[kind] + back[kind]),
  ]
  return {
    tables: [
      {
        title: 'Memory of an idle client',
        columns: ['', 'gateway', 'events', 'together'],
        rows: [
          rowOf(`queue and poll, resident, growth from ${from} to ${to} clients`, 'rss', all),
          rowOf('queue and poll, live after garbage collection', 'live', all),
          rowOf('of that the poll', 'live', pollOnly),
          rowOf('queue and stream, resident', 'rss', streaming),
          rowOf('queue and stream, live', 'live', streaming),
          rowOf('of that the stream', 'live', streamOnly),
          rowOf('bare node:http behind a bare proxy, resident', 'rss', bare),
          rowOf('bare node:http behind a bare proxy, live', 'live', bare),
        ],
        notes: ['each client is another user with one queue; the last two rows are proxy and server'],
      },
    ],
    targets: [targetOf('poll', MAX_KB.polls, all), targetOf('stream', MAX_KB.streams, streaming)],
    data: { from, to, all, pollOnly, streaming, streamOnly, bare, raw: { byPolls, byStreams } },
    costs: { clientBytes: { gateway: Math.round(all.front.rss), events: Math.round(all.back.rss) } },
  }
}

const targetOf = (name: string, limit: number, { front, back }: Pair): Target => ({
  name: `an idle client (queue and ${name}), resident memory of gateway and events`,
  limit,
  measured: (front.rss + back.rss) / 1000,
  unit: ' KB',
})

interface Growth {
  /** With a few clients. */
  readonly grown: Pair
  /** With the queues of the others, before these wait. */
  readonly opened: Pair
  readonly waiting: Pair
}

/** Its clients are the accounts from `firstAccount` on. */
async function measureSystem(bench: Bench, by: Way, firstAccount: number): Promise<Growth> {
  const { sizes, population, listeners, system } = bench
  const { from, to } = sizes.pendingPolls
  const done = bench.progress.step(`${to} idle ${by}`)
  // Fresh processes: memory of earlier loads would hide the growth.
  for (const service of ['gateway', 'events'] as const) {
    await system.replica(service).stop()
    await system.replica(service).start()
  }
  const measure = async (): Promise<Pair> => {
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
    const [front, back] = await Promise.all([
      bench.callProbe('gateway', 'memory'),
      bench.callProbe('events', 'memory'),
    ])
    return { front, back }
  }
  const register = async (count: number, present: number) => {
    const accounts = population.accounts.slice(firstAccount + present, firstAccount + count)
    await listeners.call('register', {
      ports: [portOf(system.baseUrl)],
      authorizations: accounts.map(authorizationOf),
      concurrency: CALLS_AT_ONCE,
    })
  }
  const follow = async (count: number) => {
    await listeners.call('follow', { by })
    await waitUntilPending(bench, count)
  }
  await register(from, 0)
  await follow(from)
  const grown = await measure()
  await register(to, from)
  const opened = await measure()
  await follow(to)
  const waiting = await measure()
  await listeners.call('deleteQueues', { concurrency: CALLS_AT_ONCE })
  await listeners.call('stopPolling')
  done()
  return { grown, opened, waiting }
}

async function measureBare(bench: Bench): Promise<Pair> {
  const { bare, listeners, sizes } = bench
  const { from, to } = sizes.pendingPolls
  const done = bench.progress.step(`${to} idle requests to bare servers`)
  const call = {
    ...bare.proxiedCall,
    path: PENDING_PATH,
    headers: { authorization: authorizationOf(senderOf(bench.population)), 'user-agent': 'bench' },
  }
  const measure = async (): Promise<Pair> => {
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS / 3))
    return { front: await bare.proxy.call('memory'), back: await bare.origin.call('memory') }
  }
  await listeners.call('openPending', { call, count: from })
  const before = await measure()
  await listeners.call('openPending', { call, count: to })
  const after = await measure()
  await listeners.call('stopHolding')
  done()
  const per = (kind: keyof Memory, side: keyof Pair) => (after[side][kind] - before[side][kind]) / (to - from)
  return {
    front: { rss: per('rss', 'front'), live: per('live', 'front') },
    back: { rss: per('rss', 'back'), live: per('live', 'back') },
  }
}

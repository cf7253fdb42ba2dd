import { PENDING_PATH } from '../bare/bare-servers.ts'
import type { Memory } from '../probe/memory.ts'
import { asKb } from '../report/format.ts'
import type { SectionResult } from '../report/section.ts'
import { authorizationOf, portOf } from '../setup/population.ts'
import { type Bench, senderOf } from './bench.ts'
import { waitUntilPending } from './live-queues.ts'

/** Target: an idle long-poll, gateway and events together. */
const MAX_KB = 25
const REGISTER_AT_ONCE = 16
/** By then idle connections of the registration and buffers are released. */
const IDLE_MS = 3_000

interface Pair {
  readonly front: Memory
  readonly back: Memory
}

/** Memory of gateway and events for a waiting client, beside the same with bare servers. */
export async function measurePollMemory(bench: Bench): Promise<SectionResult> {
  const { sizes } = bench
  const { from, to } = sizes.pendingPolls
  const bare = await measureBare(bench)
  const { grown, opened, polls } = await measureSystem(bench)

  const perPoll = (a: Pair, b: Pair, count: number) => ({
    front: { rss: (b.front.rss - a.front.rss) / count, live: (b.front.live - a.front.live) / count },
    back: { rss: (b.back.rss - a.back.rss) / count, live: (b.back.live - a.back.live) / count },
  })
  const all = perPoll(grown, polls, to - from)
  const pollOnly = perPoll(opened, polls, to - from)
  const rowOf = (name: string, kind: keyof Memory, { front, back }: Pair) => [
    name,
    asKb(front[kind]),
    asKb(back[kind]),
    asKb(front[kind] + back[kind]),
  ]
  return {
    tables: [
      {
        title: 'Memory of an idle long-poll',
        columns: ['', 'gateway', 'events', 'together'],
        rows: [
          rowOf(`queue and poll, resident, growth from ${from} to ${to} clients`, 'rss', all),
          rowOf('queue and poll, live after garbage collection', 'live', all),
          rowOf('of that the poll', 'live', pollOnly),
          rowOf('bare node:http behind a bare proxy, resident', 'rss', bare),
          rowOf('bare node:http behind a bare proxy, live', 'live', bare),
        ],
        notes: ['each client is another user with one queue; the last two rows are proxy and server'],
      },
    ],
    targets: [
      {
        name: 'an idle client (queue and poll), resident memory of gateway and events',
        limit: MAX_KB,
        measured: (all.front.rss + all.back.rss) / 1000,
        unit: ' KB',
      },
    ],
    data: { from, to, all, pollOnly, bare, raw: { grown, opened, polls } },
    costs: { clientBytes: { gateway: Math.round(all.front.rss), events: Math.round(all.back.rss) } },
  }
}

async function measureSystem(bench: Bench): Promise<{ grown: Pair; opened: Pair; polls: Pair }> {
  const { sizes, population, listeners, system } = bench
  const { from, to } = sizes.pendingPolls
  const done = bench.progress.step(`${to} idle long-polls`)
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
    const accounts = population.accounts.slice(present, count)
    await listeners.call('register', {
      ports: [portOf(system.baseUrl)],
      authorizations: accounts.map(authorizationOf),
      concurrency: REGISTER_AT_ONCE,
    })
  }
  const follow = async (count: number) => {
    await listeners.call('follow', {})
    await waitUntilPending(bench, count)
  }
  await register(from, 0)
  await follow(from)
  const grown = await measure()
  await register(to, from)
  const opened = await measure()
  await follow(to)
  const polls = await measure()
  await listeners.call('stopPolling')
  done()
  return { grown, opened, polls }
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

import type { ServiceName } from '@tms/local-system'
import type { Commands } from '../load/commands.ts'
import { type Call, formCall } from '../load/http-call.ts'
import type { Child } from '../processes/child-process.ts'
import { type CpuUsage, sampleCpu, usageBetween } from '../report/cpu-usage.ts'
import { asNumber } from '../report/format.ts'
import type { Progress } from '../report/progress.ts'
import type { BareParts } from '../setup/bare-parts.ts'
import type { BenchSystem } from '../setup/bench-system.ts'
import type { BulkAccount } from '../setup/population.queries.ts'
import { authorizationOf, type Population, portOf } from '../setup/population.ts'
import type { Sizes } from '../setup/sizes.ts'

/** The system and tools of a part of the benchmark. */
export interface Bench extends BenchSystem {
  readonly sizes: Sizes
  readonly population: Population
  readonly bare: BareParts
  readonly progress: Progress
  /** The folder of CPU profiles; null if none are wanted. */
  readonly profileDir: string | null
  readonly ticksPerSecond: number
}

/** An ordinary message: a sentence or two with a little Markdown. */
const CONTENT =
  'The new build is **out**: it starts in half the time, and `npm run bench` says where the rest of it goes. Have a look.'

/** A send to a channel, through the gateway. */
export function sendCall(bench: Pick<Bench, 'system'>, sender: BulkAccount, channelId: number): Call {
  return formCall(
    portOf(bench.system.baseUrl),
    '/api/v1/messages',
    authorizationOf(sender),
    messageFields(channelId),
  )
}

export const messageFields = (channelId: number): Record<string, string> => ({
  type: 'channel',
  to: String(channelId),
  topic: 'builds',
  content: CONTENT,
})

/** The accounts that send. */
export function senderOf(population: Population, index = 0): BulkAccount {
  const account = population.accounts[index]
  if (!account) throw new Error(`there are only ${population.accounts.length} accounts`)
  return account
}

const PROFILED: readonly ServiceName[] = ['gateway', 'messaging', 'events', 'users']

/** Runs a load, and measures how many cores each process kept busy. */
export async function underLoad<T>(
  bench: Bench,
  name: string,
  work: (senders: Child<Commands>) => Promise<T>,
): Promise<{ result: T; usage: CpuUsage; seconds: number }> {
  const done = bench.progress.step(name)
  if (bench.profileDir !== null) {
    await Promise.all(PROFILED.map((service) => bench.callProbe(service, 'startProfile')))
  }
  const before = sampleCpu(bench.processes(), bench.ticksPerSecond)
  const result = await work(bench.senders)
  const after = sampleCpu(bench.processes(), bench.ticksPerSecond)
  const usage = usageBetween(before, after)
  if (bench.profileDir !== null) {
    const path = (service: ServiceName) =>
      `${bench.profileDir}/${name.replace(/[^a-z0-9]+/gi, '-')}.${service}.cpuprofile`
    await Promise.all(PROFILED.map((service) => bench.callProbe(service, 'stopProfile', path(service))))
  }
  done()
  return { result, usage, seconds: (after.atMs - before.atMs) / 1000 }
}

/** "63 µs: gateway 41, events 22": CPU of these processes for each of so many operations within `seconds`. */
export function describeCost(
  { usage, seconds, count }: { readonly usage: CpuUsage; readonly seconds: number; readonly count: number },
  processes: readonly string[],
): string {
  const costs = processes.map((name) => ({ name, us: ((usage[name] ?? 0) * seconds * 1e6) / count }))
  const total = costs.reduce((sum, { us }) => sum + us, 0)
  return `${asNumber(total)} µs: ${costs.map(({ name, us }) => `${name} ${asNumber(us)}`).join(', ')}`
}

/** "gateway 0.42, messaging 0.61": busy cores, without negligible ones. */
export function describeUsage(usage: CpuUsage): string {
  const used = Object.entries(usage).filter(([, cores]) => cores >= 0.01)
  return used
    .sort(([, a], [, b]) => b - a)
    .map(([name, cores]) => `${name} ${asNumber(Math.round(cores * 100) / 100)}`)
    .join(', ')
}

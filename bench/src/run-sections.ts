import type { Bench } from './measures/bench.ts'
import { areReplicated, type SectionName } from './measures/options.ts'
import { onlineUsers } from './measures/presence-pings.ts'
import { sections } from './measures/sections.ts'
import { clockTicks, currentLoad, describeMachine, type Machine } from './report/machine.ts'
import type { Progress } from './report/progress.ts'
import { ratioTargets } from './report/ratio-targets.ts'
import { type SectionResult, type Target, targetTable } from './report/section.ts'
import type { Table } from './report/table.ts'
import { startBareParts } from './setup/bare-parts.ts'
import { startBenchSystem } from './setup/bench-system.ts'
import { populate } from './setup/population.ts'
import { findServerVersions } from './setup/server-versions.ts'
import type { Sizes } from './setup/sizes.ts'

export interface RunResult {
  readonly machine: Machine
  readonly sections: readonly (SectionResult & { readonly name: SectionName })[]
  readonly targets: readonly Target[]
}

interface RunOptions {
  readonly sections: readonly SectionName[]
  readonly sizes: Sizes
  readonly repoRoot: string
  readonly dataDir: string
  readonly profileDir: string | null
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  readonly progress: Progress
  /** Gets each table as soon as it is ready. */
  readonly onTable: (table: Table) => void
}

/** The senders, which have no event queue, come before the accounts that have one. */
const SENDERS = 64

/**
 * For 20,000 polls, each of which is two open files in a gateway and one in events, where a process may have 20,000: the
 * minimum for that.
 */
const REPLICAS = { gateway: 3, events: 2 } as const

/** Of each service, if something fails. */
const LOG_LINES = 5

/** Starts everything, runs the parts in order, and stops everything. */
export async function runSections(options: RunOptions): Promise<RunResult> {
  const { sizes, signal, progress } = options
  const loadBefore = currentLoad()
  const replicas = areReplicated(options.sections) ? REPLICAS : {}
  const system = await startBenchSystem({ ...options, replicas })
  const stops: (() => unknown)[] = [system.stop]
  try {
    const bare = await startBareParts(signal)
    stops.push(bare.stop)
    const done = progress.step('creating users in bulk')
    const population = await populate(system.system, system.owner, countUsers(options))
    stops.push(population.close)
    done()
    const bench: Bench = {
      ...system,
      sizes,
      population,
      bare,
      progress,
      profileDir: options.profileDir,
      ticksPerSecond: clockTicks(),
    }
    const results: (SectionResult & { name: SectionName })[] = []
    for (const name of options.sections) {
      signal.throwIfAborted()
      const result = await sections[name](bench)
      results.push({ name, ...result })
      for (const table of result.tables) options.onTable(table)
    }
    const targets = [
      ...ratioTargets(results.map(({ costs }) => costs ?? {})),
      ...results.flatMap((result) => [...(result.targets ?? [])]),
    ]
    if (targets.length > 0) options.onTable(targetTable(targets))
    const machine = {
      ...describeMachine(options.repoRoot, await findServerVersions(system.servers)),
      loadBefore,
    }
    return { machine, sections: results, targets }
  } catch (err) {
    if (!signal.aborted) {
      for (const { service, logs } of system.system.replicas) {
        for (const line of logs().slice(-LOG_LINES)) progress.log(`${service}: ${line.slice(0, 500)}`)
      }
    }
    throw err
  } finally {
    for (let stop = stops.pop(); stop; stop = stops.pop()) await stop()
  }
}

/** Only as many as the parts need. */
function countUsers({ sections: names, sizes }: RunOptions): { accounts: number; otherUsers: number } {
  const queues = names.includes('queues') ? Math.max(...sizes.queueLoads.map((load) => load.queues)) : 0
  // As many poll as stream.
  const polls = names.includes('memory') ? 2 * sizes.pendingPolls.to : 0
  const present = names.includes('presence') ? onlineUsers : 0
  const live = names.includes('scale') ? sizes.scale.queues : 0
  const followed = names.includes('handover') ? sizes.handover.queues : 0
  const accounts = SENDERS + Math.max(queues, polls, present, live, followed)
  const subscribers = Math.max(
    100,
    ...(names.includes('latency') ? sizes.subscriberCounts : []),
    ...(names.includes('moves') ? sizes.moves.subscribers : []),
  )
  return { accounts, otherUsers: Math.max(0, subscribers - accounts) }
}

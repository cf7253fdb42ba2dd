import { readdirSync, readFileSync } from 'node:fs'

/** CPU seconds so far, by group of processes, and of the whole machine. */
export interface CpuSample {
  readonly atMs: number
  readonly byGroup: ReadonlyMap<string, number>
  readonly machine: number
}

/** The average number of busy cores by group; `others` is everything outside the benchmark. */
export type CpuUsage = Readonly<Record<string, number>>

interface Stat {
  readonly parent: number
  readonly ticks: number
}

/** Reads /proc. Each group consists of the processes with these IDs and their descendants, including ended ones. */
export function sampleCpu(groups: ReadonlyMap<string, readonly number[]>, ticksPerSecond: number): CpuSample {
  const stats = readStats()
  const byGroup = new Map([...groups.keys()].map((name) => [name, 0]))
  const groupOf = (pid: number): string | undefined => {
    for (let at = pid, depth = 0; at > 1 && depth < 20; at = stats.get(at)?.parent ?? 0, depth++) {
      for (const [name, roots] of groups) if (roots.includes(at)) return name
    }
    return undefined
  }
  for (const [pid, { ticks }] of stats) {
    const name = groupOf(pid)
    if (name !== undefined) byGroup.set(name, (byGroup.get(name) ?? 0) + ticks / ticksPerSecond)
  }
  return { atMs: performance.now(), byGroup, machine: readMachineTicks() / ticksPerSecond }
}

/** The difference between two samples. */
export function usageBetween(before: CpuSample, after: CpuSample): CpuUsage {
  const seconds = (after.atMs - before.atMs) / 1000
  const usage: Record<string, number> = {}
  let ours = 0
  for (const [name, used] of after.byGroup) {
    const cores = (used - (before.byGroup.get(name) ?? 0)) / seconds
    usage[name] = cores
    ours += cores
  }
  usage['others'] = Math.max(0, (after.machine - before.machine) / seconds - ours)
  return usage
}

function readStats(): Map<number, Stat> {
  const stats = new Map<number, Stat>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'latin1')
      // The name of the command may contain anything, including spaces and brackets.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      const [utime, stime, childUtime, childStime] = fields.slice(11, 15).map(Number)
      const ticks = (utime ?? 0) + (stime ?? 0) + (childUtime ?? 0) + (childStime ?? 0)
      stats.set(Number(name), { parent: Number(fields[1]), ticks })
    } catch {
      // It ended meanwhile.
    }
  }
  return stats
}

/** Ticks of all cores in which anything ran. */
function readMachineTicks(): number {
  const [first = ''] = readFileSync('/proc/stat', 'latin1').split('\n')
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = first
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return user + nice + system + irq + softirq
}

import { execFileSync, spawnSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem } from 'node:os'

export interface Machine {
  readonly description: string
  readonly commit: string
  /** Runnable processes before the start: more than a few mean that other programs were busy. */
  readonly loadBefore: number
}

/** The environment of the figures. `versions` are those of the servers. */
export function describeMachine(repoRoot: string, versions: readonly string[]): Omit<Machine, 'loadBefore'> {
  const all = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  const cpu = all[0]?.model.trim() || process.arch
  return {
    description: [
      `${all.length} cores (${cpu}), ${memory}, Linux ${release().split('-')[0]}`,
      `Node ${process.versions.node}`,
      ...versions,
    ].join(', '),
    commit: commitOf(repoRoot),
  }
}

export const currentLoad = (): number => loadavg()[0] ?? 0

function commitOf(repoRoot: string): string {
  const git = (...args: string[]) =>
    spawnSync('git', args, { cwd: repoRoot, encoding: 'utf8' }).stdout?.trim()
  const commit = git('rev-parse', '--short', 'HEAD')
  if (!commit) return 'unknown'
  return git('status', '--porcelain', '--', 'services', 'libs') ? `${commit} with changes` : commit
}

/** Clock ticks per second of /proc. */
export function clockTicks(): number {
  try {
    return Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) || 100
  } catch {
    return 100
  }
}

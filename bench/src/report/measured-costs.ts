import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CpuUsage } from './cpu-usage.ts'

/** CPU of an operation by process, in microseconds. */
export type Cost = Readonly<Record<string, number>>

/** What a section contributes to the costs that `manage capacity` calculates with. */
export interface SectionCosts {
  readonly micros?: Readonly<Record<string, Cost>>
  /** Operations per second that nothing but their own kind limits. */
  readonly perSecond?: Readonly<Record<string, number>>
  /** Resident bytes of a client that waits. */
  readonly clientBytes?: Readonly<Record<string, number>>
}

/** Processes whose costs are no product's: they measure. */
const OURS = new Set(['load', 'others', 'bare proxy', 'bare server'])
/** Less is noise of a sample. */
const LEAST_MICROS = 1

/** CPU of one of so many operations within `seconds`. */
export function costOf({ usage, seconds, count }: { usage: CpuUsage; seconds: number; count: number }): Cost {
  const micros = Object.entries(usage)
    .filter(([name]) => !OURS.has(name))
    .map(([name, cores]) => [name, (cores * seconds * 1e6) / count] as const)
  return Object.fromEntries(
    micros.filter(([, us]) => us >= LEAST_MICROS).map(([name, us]) => [name, Number(us.toPrecision(3))]),
  )
}

const PATH = 'manage/src/capacity/measured-costs.ts'
/** Without all of these the file stays as it is. */
const NEEDED = ['send', 'page', 'ping', 'pollDelivery', 'streamDelivery']

/** Writes the costs of a whole run into the source of `manage capacity`. Returns whether it did. */
export function writeCosts(repoRoot: string, costs: readonly SectionCosts[], measuredOn: string): boolean {
  const micros: Record<string, Cost> = Object.assign({}, ...costs.map((one) => one.micros))
  const perSecond = Object.assign({}, ...costs.map((one) => one.perSecond))
  const clientBytes = Object.assign({}, ...costs.map((one) => one.clientBytes))
  if (!NEEDED.every((name) => name in micros)) return false
  const value = JSON.stringify({ measuredOn, micros, perSecond, clientBytes }, null, 2)
  const text = `// Written by \`npm run bench -- --write-docs\`.\n\nimport type { MeasuredCosts } from './plan.ts'\n\nexport const measuredCosts: MeasuredCosts = ${value}\n`
  writeFileSync(join(repoRoot, PATH), text)
  return true
}

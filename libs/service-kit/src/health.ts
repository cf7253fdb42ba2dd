import type { Logger } from './log.ts'
import { within } from './within.ts'

/** Says whether a dependency answers. */
export interface Probe {
  readonly name: string
  /** Rejects, or takes too long, when the dependency is missing. */
  readonly check: () => Promise<unknown>
  /** The service works without it, only worse: reported as degraded, and ready all the same. */
  readonly isOptional?: boolean
}

/** What failed, by name, as anybody may know it: errors tell of addresses and users, which is for the log. */
export interface Readiness {
  readonly missing: Readonly<Record<string, string>>
  readonly degraded: Readonly<Record<string, string>>
}

/** A reason that everybody may read: it names no address and no user. */
export class PublicReason extends Error {}

/** Too small calls a busy server missing; too large keeps a load balancer waiting. */
const PROBE_TIMEOUT_MS = 2_000
/** What was found is told for so long, however many ask: they can't have dependencies asked more often. */
const FOUND_MS = 1_000

/** What tells which dependencies are missing. All who ask at once, or soon after, share one look. */
export function createReadiness(probes: readonly Probe[], log: Logger): () => Promise<Readiness> {
  let found: Promise<Readiness> | null = null
  let lookAgainAt = Number.POSITIVE_INFINITY
  let noted = ''
  /** Until everything was there once: that something isn't yet is no news then. */
  let isStarting = true
  const look = async (): Promise<Readiness> => {
    const [missing, degraded] = await Promise.all([
      findMissing(probes.filter((probe) => !probe.isOptional)),
      findMissing(probes.filter((probe) => probe.isOptional)),
    ])
    lookAgainAt = performance.now() + FOUND_MS
    const names = JSON.stringify([asPublic(missing), asPublic(degraded)])
    const isWell = missing.size + degraded.size === 0
    if (names !== noted && !isWell) {
      const found = { missing: messagesOf(missing), degraded: messagesOf(degraded) }
      log[isStarting ? 'info' : 'warn'](found, 'dependencies are missing')
    }
    isStarting &&= !isWell
    noted = names
    return { missing: asPublic(missing), degraded: asPublic(degraded) }
  }
  return () => {
    if (found === null || performance.now() >= lookAgainAt) {
      lookAgainAt = Number.POSITIVE_INFINITY
      found = look()
    }
    return found
  }
}

type Reasons = ReadonlyMap<string, unknown>

const asPublic = (reasons: Reasons): Record<string, string> =>
  Object.fromEntries(
    [...reasons].map(([name, reason]) => [
      name,
      reason instanceof PublicReason ? reason.message : 'is not available',
    ]),
  )

const messagesOf = (reasons: Reasons): Record<string, string> =>
  Object.fromEntries(
    [...reasons].map(([name, reason]) => [name, reason instanceof Error ? reason.message : String(reason)]),
  )

/** Runs all probes at once and returns the reasons of those that failed, by name. */
async function findMissing(probes: readonly Probe[]): Promise<Reasons> {
  const results = await Promise.all(
    probes.map(async ({ name, check }) => {
      try {
        await within(PROBE_TIMEOUT_MS, 'did not answer in time', check())
        return null
      } catch (err) {
        return [name, err] as const
      }
    }),
  )
  return new Map(results.filter((result) => result !== null))
}

import { within } from '../concurrency/within.ts'
import type { Logger } from '../telemetry/log.ts'

/** A check whether a dependency answers. */
export interface Probe {
  readonly name: string
  /** Rejects, or takes too long, if the dependency is unavailable. */
  readonly check: () => Promise<unknown>
  /** The service works without it, only worse: reported as degraded, and ready all the same. */
  readonly isOptional?: boolean
}

/**
 * Failed dependencies by name, with reasons that may be public: errors contain addresses and users, which belong in
 * the log only.
 */
export interface Readiness {
  readonly missing: Readonly<Record<string, string>>
  readonly degraded: Readonly<Record<string, string>>
}

/** A reason that may be public: it contains no address and no user. */
export class PublicReason extends Error {}

/** Too small reports a busy server as missing; too large delays a load balancer. */
const PROBE_TIMEOUT_MS = 2_000
/** How long a result is reused, so that callers can't make the service probe its dependencies more often. */
const CACHE_MS = 1_000
/** The same until the service was ready once: larger delays every start. */
const STARTING_CACHE_MS = 100

/** Returns which dependencies are missing. Calls at the same time, or soon after, share one round of probes. */
export function createReadiness(probes: readonly Probe[], log: Logger): () => Promise<Readiness> {
  let result: Promise<Readiness> | null = null
  let expiresAt = Number.POSITIVE_INFINITY
  let lastReported = ''
  /** Until everything was available once, a missing dependency is not worth a warning. */
  let isStarting = true
  let wasReady = false
  const probeAll = async (): Promise<Readiness> => {
    const [missing, degraded] = await Promise.all([
      findMissing(probes.filter((probe) => !probe.isOptional)),
      findMissing(probes.filter((probe) => probe.isOptional)),
    ])
    const names = JSON.stringify([asPublic(missing), asPublic(degraded)])
    const isComplete = missing.size + degraded.size === 0
    if (names !== lastReported && !isComplete) {
      const result = { missing: messagesOf(missing), degraded: messagesOf(degraded) }
      log[isStarting ? 'info' : 'warn'](result, 'dependencies are missing')
    }
    isStarting &&= !isComplete
    wasReady ||= missing.size === 0
    expiresAt = performance.now() + (wasReady ? CACHE_MS : STARTING_CACHE_MS)
    lastReported = names
    return { missing: asPublic(missing), degraded: asPublic(degraded) }
  }
  return () => {
    if (result === null || performance.now() >= expiresAt) {
      expiresAt = Number.POSITIVE_INFINITY
      result = probeAll()
    }
    return result
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

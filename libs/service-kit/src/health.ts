import { within } from './within.ts'

/** Says whether a dependency answers. */
export interface Probe {
  readonly name: string
  /** Rejects, or takes too long, when the dependency is missing. */
  readonly check: () => Promise<unknown>
  /** The service works without it, only worse: reported as degraded, and ready all the same. */
  readonly isOptional?: boolean
}

/** Too small calls a busy server missing; too large keeps a load balancer waiting. */
const PROBE_TIMEOUT_MS = 2_000

/** Runs all probes at once and returns the reasons of those that failed, by name. */
export async function findMissing(probes: readonly Probe[]): Promise<Record<string, string>> {
  const results = await Promise.all(
    probes.map(async ({ name, check }) => {
      try {
        await within(PROBE_TIMEOUT_MS, 'did not answer in time', check())
        return null
      } catch (err) {
        return [name, err instanceof Error ? err.message : String(err)] as const
      }
    }),
  )
  return Object.fromEntries(results.filter((result) => result !== null))
}

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
      let timer: NodeJS.Timeout | undefined
      const deadline = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('did not answer in time')), PROBE_TIMEOUT_MS)
      })
      try {
        await Promise.race([check(), deadline])
        return null
      } catch (err) {
        return [name, err instanceof Error ? err.message : String(err)] as const
      } finally {
        clearTimeout(timer)
      }
    }),
  )
  return Object.fromEntries(results.filter((result) => result !== null))
}

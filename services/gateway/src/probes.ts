import type { Probe } from '@tms/service-kit'

const PROBE_TIMEOUT_MS = 1_000

/** Resolves when one of the replicas lives. Rejects with the last one's reason. */
async function findLiving(urls: readonly string[]): Promise<void> {
  const ask = async (url: string) => {
    const answer = await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`answered ${answer.status}`)
  }
  try {
    await Promise.any(urls.map(ask))
  } catch (cause) {
    throw new Error('no replica can be reached', { cause })
  }
}

/**
 * Not ready until users could be reached once. Later its absence only degrades: cached identities go on, and
 * if every gateway then called itself unready, a load balancer would take the whole system away.
 */
export function usersProbes(urls: readonly string[]): Probe[] {
  let wasReached = false
  const check = async () => {
    await findLiving(urls)
    wasReached = true
  }
  return [
    { name: 'users', check: async () => wasReached || check() },
    { name: 'users', check, isOptional: true },
  ]
}

import { type ClientTls, type Probe, requestStatus } from '@tms/service-kit'

const PROBE_TIMEOUT_MS = 1_000

/** Resolves if one of the replicas is alive. Rejects with the last one's reason. */
async function findLiving(urls: readonly string[], tls: ClientTls): Promise<void> {
  const ask = async (url: string) => {
    const status = await requestStatus(`${url}/health/live`, tls, PROBE_TIMEOUT_MS)
    if (status !== 200) throw new Error(`answered ${status}`)
  }
  try {
    await Promise.any(urls.map(ask))
  } catch (cause) {
    throw new Error('no replica can be reached', { cause })
  }
}

/**
 * Not ready until users was reached once. Later its absence only degrades: cached identities stay valid, and if every
 * gateway then reported not ready, a load balancer would take the whole system offline.
 */
export function usersProbes(urls: readonly string[], tls: ClientTls): Probe[] {
  let wasReached = false
  const check = async () => {
    await findLiving(urls, tls)
    wasReached = true
  }
  return [
    { name: 'users', check: async () => wasReached || check() },
    { name: 'users', check, isOptional: true },
  ]
}

import { createOutwardClient, IDLE_CONNECTION_MS, type PostOutward } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import { isOfBrowser } from '../browser-services.rules.ts'

/**
 * Services that users named and that were called no longer ago than a connection is kept. So a user who names ever new ones has
 * none kept to them.
 */
const RECENTLY_CALLED = { max: 1_000, ttl: IDLE_CONNECTION_MS }

/**
 * Posts to push services. Connections are kept to those of browsers, and to others that were called a moment ago: opening one costs
 * more than the call. As over all kept connections, a call is repeated once if the service resets its connection, and may
 * then come twice.
 */
export function createWebPushPost(
  options: Omit<Parameters<typeof createOutwardClient>[0], 'keepsConnections'>,
): PostOutward {
  const open = (keepsConnections: boolean) => createOutwardClient({ ...options, keepsConnections })
  const [kept, single] = [open(true), open(false)]
  const recent = new LRUCache<string, true>(RECENTLY_CALLED)
  return (request) => {
    const { hostname, origin } = new URL(request.url)
    const isKept = isOfBrowser(hostname) || recent.has(origin)
    recent.set(origin, true)
    return (isKept ? kept : single)(request)
  }
}

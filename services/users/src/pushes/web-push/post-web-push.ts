import { createOutwardClient, type PostOutward } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import { isOfBrowser } from '../browser-services.rules.ts'

/**
 * Services that users named and that were called within this time: theirs are called again soon. So many are remembered, and
 * with them the connections that a user can have kept by naming ever new ones.
 */
const BUSY = { max: 100, ttl: 4_000 }

/**
 * Posts to push services. Connections are kept to those of browsers, and to others that are called often: opening one costs more than
 * the call. To the rest, all of whose calls may be to different addresses, none is.
 */
export function createWebPushPost(
  options: Omit<Parameters<typeof createOutwardClient>[0], 'keepsConnections'>,
): PostOutward {
  const open = (keepsConnections: boolean) => createOutwardClient({ ...options, keepsConnections })
  const [kept, single] = [open(true), open(false)]
  const busy = new LRUCache<string, true>(BUSY)
  return (request) => {
    const { hostname, origin } = new URL(request.url)
    const isBusy = isOfBrowser(hostname) || busy.has(origin)
    busy.set(origin, true)
    return (isBusy ? kept : single)(request)
  }
}

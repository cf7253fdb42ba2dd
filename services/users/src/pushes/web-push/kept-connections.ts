import { IDLE_CONNECTION_MS } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import { isOfBrowser } from '../browser-services.rules.ts'

/**
 * Services that users named and that were called no longer ago than a connection is kept. So a user who names ever new ones has
 * none kept to them.
 */
const RECENTLY_CALLED = { max: 1_000, ttl: IDLE_CONNECTION_MS }

/**
 * Returns a function that tells whether the connection of a call to a push service is kept: to those of browsers, and to others that
 * were called a moment ago. As over all kept connections, a call is repeated once if the service resets its connection, and
 * may then come twice.
 */
export function createConnectionKeeping(): (url: URL) => boolean {
  const recent = new LRUCache<string, true>(RECENTLY_CALLED)
  return ({ hostname, origin }) => {
    const isKept = isOfBrowser(hostname) || recent.has(origin)
    recent.set(origin, true)
    return isKept
  }
}

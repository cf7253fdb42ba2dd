import { internal } from '@tms/contracts'
import type { Logger } from '@tms/service-kit'
import type { Context } from '../context.ts'
import type { Realm } from '../realms/realm.queries.ts'
import { allowsSpectators } from './spectator-access.rules.ts'

/** Server settings are what clients ask for first, so they don't wait for messaging for long. */
const TIMEOUT_MS = 500

/**
 * Whether there is something to look at without an account. Messaging is asked each time, so that a channel that was just made
 * web-public, or ceased to be, counts. While messaging is away nothing can be looked at: false.
 */
export async function hasWebPublicAccess(
  { call }: Pick<Context, 'call'>,
  realm: Realm,
  { requestId, log }: { readonly requestId: string; readonly log: Logger },
): Promise<boolean> {
  if (!allowsSpectators(realm)) return false
  try {
    const options = { requestId, timeoutMs: TIMEOUT_MS }
    return (await call(internal.messaging.findWebPublicChannel, { realm_id: realm.id }, options)).exists
  } catch (err) {
    log.warn({ err, requestId }, 'messaging does not say whether there are web-public channels')
    return false
  }
}

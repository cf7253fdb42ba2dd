import { internal } from '@tms/contracts'
import type { Logger } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { Realm } from '../kernel/realms/realm.queries.ts'
import { allowsSpectators } from './spectator-access.rules.ts'

/** Per attempt: clients request server settings first, and must not wait long for another service. */
const TIMEOUT_MS = 500

/**
 * Whether spectators can read something: the organization allows them and has a web-public channel. Queries messaging
 * each time, so that a channel counts as soon as it becomes web-public or stops being so. False while messaging is
 * unavailable, since nothing can be read then.
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
    log.warn({ err, requestId }, 'messaging did not answer whether there are web-public channels')
    return false
  }
}

import { internal } from '@tms/contracts'
import type { Logger } from '@tms/service-kit'
import type { Context } from '../context.ts'

const TIMEOUT_MS = 3_000

/**
 * Lets realm hide or show users who were deactivated or reactivated where permissions of the organization name them. Call it
 * after the commit, also if no permission is known to name a user: one may be about to. Realm repairs it later if it doesn't answer.
 */
export async function refreshNamedUsers(
  { call }: Pick<Context, 'call'>,
  realmId: number,
  { log, requestId }: { readonly log: Logger; readonly requestId: string | null },
): Promise<void> {
  try {
    const options = { ...(requestId !== null && { requestId }), timeoutMs: TIMEOUT_MS }
    await call(internal.realm.refreshNamedUsers, { realm_id: realmId }, options)
  } catch (err) {
    log.warn({ err, requestId }, 'realm has not hidden or shown a user in permissions yet')
  }
}

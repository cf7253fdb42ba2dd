import { groupSettingParts, internal, realmPermissionNames } from '@tms/contracts'
import type { Logger } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { getRealm } from './get-realm.ts'

const TIMEOUT_MS = 3_000

/**
 * Lets realm hide or show users who were deactivated or reactivated where permissions of the organization name them. Call it
 * after the commit. Realm repairs it later if it doesn't answer. Costs nothing if no permission names a user.
 */
export async function refreshNamedUsers(
  context: Pick<Context, 'realms' | 'call'>,
  realmId: number,
  { log, requestId }: { readonly log: Logger; readonly requestId: string | null },
): Promise<void> {
  try {
    const realm = await getRealm(context, realmId)
    const namesUsers = realmPermissionNames.some(
      (name) => groupSettingParts(realm[name]).direct_members.length > 0,
    )
    if (!namesUsers) return
    const options = { ...(requestId !== null && { requestId }), timeoutMs: TIMEOUT_MS }
    await context.call(internal.realm.refreshNamedUsers, { realm_id: realmId }, options)
  } catch (err) {
    log.warn({ err, requestId }, 'realm has not hidden or shown a user in permissions yet')
  }
}

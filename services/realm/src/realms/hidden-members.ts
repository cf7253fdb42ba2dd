import { groupSettingParts, internal, type RealmPermissionValues, realmPermissionNames } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findOrganization, lockOrganization } from '../kernel/realms/realm.queries.ts'
import { readSettings } from '../kernel/realms/stored-settings.ts'
import { saveSettings } from './save-settings.ts'

/** Other changes of the organization wait while another service is asked. */
export const CHECK_TIMEOUT_MS = 2_000

/** The users that permissions of an organization name directly, by ID. */
export function namedUserIds(permissions: RealmPermissionValues): number[] {
  const ids = realmPermissionNames.flatMap((name) => groupSettingParts(permissions[name]).direct_members)
  return [...new Set(ids)].sort((a, b) => a - b)
}

/** The deactivated ones of the users that these permissions name, by ID. */
export async function listHiddenMembers(
  { call }: Pick<Context, 'call'>,
  realmId: number,
  permissions: RealmPermissionValues,
): Promise<number[]> {
  const named = namedUserIds(permissions)
  if (named.length === 0) return []
  const question = { realm_id: realmId, user_ids: named }
  const { user_ids } = await call(internal.users.listDeactivatedUsers, question, {
    timeoutMs: CHECK_TIMEOUT_MS,
  })
  return user_ids.sort((a, b) => a - b)
}

/** Hides users who were deactivated from clients, and shows those who were reactivated. */
export const handleRefreshNamedUsers: InternalHandler<
  typeof internal.realm.refreshNamedUsers,
  Context
> = async ({ realm_id }, context, requestId) => {
  await refreshHiddenMembers(context, realm_id, requestId)
  return {}
}

/** Asks users under the lock, so that an older answer never replaces a newer one. */
export function refreshHiddenMembers(
  { call, transact }: Pick<Context, 'call' | 'transact'>,
  realmId: number,
  requestId: string | null,
): Promise<void> {
  return transact(async (tx) => {
    if (!(await findOrganization(tx, realmId))) return
    const organization = await lockOrganization(tx, realmId)
    const hiddenMemberIds = await listHiddenMembers({ call }, realmId, readSettings(organization))
    const change = { settings: {}, available: [], hiddenMemberIds }
    await saveSettings(tx, organization, change, { realmId, requestId })
  })
}

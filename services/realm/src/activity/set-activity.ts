import { domainEvents } from '@tms/contracts'
import type { Cause } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import { lockOrganization, saveOrganization } from '../kernel/realms/realm.queries.ts'
import { cancelDeletion, scheduleDeletion } from '../kernel/realms/realm-deletion.queries.ts'
import { toRealmProjection } from '../kernel/realms/realm-projection.ts'

/** Whether an organization is active; `deleteAt` is when a deactivated one will be deleted, if it will. */
type Activity = { readonly isActive: true } | { readonly isActive: false; readonly deleteAt: Date | null }

/**
 * Deactivates or reactivates an organization, unless it is so already. Throws BAD_REQUEST for an unknown one, and if one
 * that is being deleted should be reactivated. Returns whether it changed.
 */
export async function setActivity(
  context: Pick<Context, 'transact'>,
  activity: Activity,
  cause: Cause,
): Promise<boolean> {
  const { realmDeactivated, realmReactivated } = domainEvents.realm
  const { isActive } = activity
  return context.transact(async (tx) => {
    const organization = await lockOrganization(tx, cause.realmId)
    if (activity.isActive) await cancelDeletion(tx, cause.realmId)
    else if (activity.deleteAt) await scheduleDeletion(tx, cause.realmId, activity.deleteAt)
    if (organization.isActive === isActive) return false
    const saved = toRealmProjection(await saveOrganization(tx, cause.realmId, { isActive }))
    await publish(tx, isActive ? realmReactivated : realmDeactivated, { projection: saved }, cause)
    return true
  })
}

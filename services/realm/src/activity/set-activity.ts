import { domainEvents } from '@tms/contracts'
import type { Cause } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import { lockOrganization, saveOrganization } from '../kernel/realms/realm.queries.ts'
import { toRealmProjection } from '../kernel/realms/realm-projection.ts'

/**
 * Deactivates or reactivates an organization, unless it is so already. Throws BAD_REQUEST for an unknown one. Returns
 * whether it changed.
 */
export async function setActivity(
  context: Pick<Context, 'transact'>,
  isActive: boolean,
  cause: Cause,
): Promise<boolean> {
  const { realmDeactivated, realmReactivated } = domainEvents.realm
  return context.transact(async (tx) => {
    const organization = await lockOrganization(tx, cause.realmId)
    if (organization.isActive === isActive) return false
    const saved = toRealmProjection(await saveOrganization(tx, cause.realmId, { isActive }))
    await publish(tx, isActive ? realmReactivated : realmDeactivated, { projection: saved }, cause)
    return true
  })
}

import { badRequest, domainEvents } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { publish } from '../kernel/publish.ts'
import { findRealmActivity } from '../kernel/realms/known-realm.queries.ts'
import { deleteOrganization } from './remove-import.queries.ts'

/**
 * Removes what was imported of an organization, and publishes that. Throws BAD_REQUEST if the organization is active.
 */
export async function removeImport(tx: Tx, realmId: number): Promise<void> {
  if (await findRealmActivity(tx, realmId)) throw badRequest('The organization is open')
  await deleteOrganization(tx, realmId)
  const { usersRemoved } = domainEvents.users
  await publish(tx, usersRemoved, { realm_id: realmId }, { realmId, requestId: null })
}

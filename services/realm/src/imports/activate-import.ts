import { badRequest, domainEvents, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import { findOrganization } from '../kernel/realms/realm.queries.ts'
import { toRealmProjection } from '../kernel/realms/realm-projection.ts'
import { endImport } from './import-state.queries.ts'

/**
 * Makes an imported organization visible. Repeating the call does nothing, because its caller may have missed the
 * answer.
 */
export const handleActivateImport: InternalHandler<typeof internal.realm.activateImport, Context> = async (
  { realm_id },
  context,
  requestId,
) => {
  const projection = await context.transact(async (tx) => {
    const wasImporting = await endImport(tx, realm_id)
    const organization = await findOrganization(tx, realm_id)
    if (!organization) throw badRequest(`There is no organization ${realm_id}`)
    const opened = toRealmProjection(organization)
    if (!wasImporting) return opened
    await publish(
      tx,
      domainEvents.realm.realmCreated,
      { projection: opened },
      { realmId: realm_id, requestId },
    )
    return opened
  })
  return { url: projection.url }
}

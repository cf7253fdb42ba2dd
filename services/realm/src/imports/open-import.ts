import { badRequest, domainEvents, type internal } from '@tms/contracts'
import { asTx, type InternalHandler, publisherOf } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { findOrganization } from '../realms/realm.queries.ts'
import { toRealmProjection } from '../realms/realm-projection.ts'
import { endImport } from './import.queries.ts'

const publish = publisherOf('realm')

/**
 * Opens an imported organization. One that is open already stays so: whoever asks again may have missed the answer.
 */
export const handleOpenImport: InternalHandler<typeof internal.realm.openImport, Context> = async (
  { realm_id },
  context,
  requestId,
) => {
  const projection = await context.transact(async (tx) => {
    const isOpenedNow = await endImport(asTx(tx), realm_id)
    const organization = await findOrganization(tx, realm_id)
    if (!organization) throw badRequest(`There is no organization ${realm_id}`)
    const opened = toRealmProjection(organization)
    if (!isOpenedNow) return opened
    await publish(
      asTx(tx),
      domainEvents.realm.realmCreated,
      { projection: opened },
      { realmId: realm_id, requestId },
    )
    return opened
  })
  return { url: projection.url }
}

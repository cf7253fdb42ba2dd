import { badRequest, domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { changeOrganization } from '../kernel/realms/change-organization.ts'
import { deleteLinkifier } from './linkifier.queries.ts'

/** Removes a linkifier. Throws BAD_REQUEST. */
export const handleRemoveLinkifier: Handler<typeof endpoints.realm.removeLinkifier, Context> = async ({
  input: { filter_id },
  caller: { realmId },
  context,
  requestId,
}) => {
  const { linkifiersChanged } = domainEvents.realm
  await changeOrganization(context, linkifiersChanged, { realmId, requestId }, async (tx, { linkifiers }) => {
    if (!linkifiers.some(({ id }) => id === filter_id)) throw badRequest('Linkifier not found')
    await deleteLinkifier(tx, filter_id)
  })
  return {}
}

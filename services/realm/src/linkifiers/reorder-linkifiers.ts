import { badRequest, domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { isReordering } from '../kernel/parts/reordering.rules.ts'
import { changeOrganization } from '../kernel/realms/change-organization.ts'
import { saveLinkifierOrder } from './linkifier.queries.ts'

/** Puts all linkifiers in another order. Throws BAD_REQUEST. */
export const handleReorderLinkifiers: Handler<typeof endpoints.realm.reorderLinkifiers, Context> = async ({
  input: { ordered_linkifier_ids },
  caller: { realmId },
  context,
  requestId,
}) => {
  const { linkifiersChanged } = domainEvents.realm
  await changeOrganization(context, linkifiersChanged, { realmId, requestId }, async (tx, { linkifiers }) => {
    const present = linkifiers.map(({ id }) => id)
    if (!isReordering(present, ordered_linkifier_ids))
      throw badRequest('ordered_linkifier_ids must have the ID of each linkifier once')
    await saveLinkifierOrder(tx, ordered_linkifier_ids)
  })
  return {}
}

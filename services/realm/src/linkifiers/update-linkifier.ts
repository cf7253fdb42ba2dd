import { badRequest, domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { changeOrganization } from '../kernel/realms/change-organization.ts'
import { saveLinkifier } from './linkifier.queries.ts'
import { checkLinkifier, checkUnique } from './linkifier.rules.ts'

/** Changes a linkifier, which keeps its position. Throws BAD_REQUEST, with `errors` if the new values are invalid. */
export const handleUpdateLinkifier: Handler<typeof endpoints.realm.updateLinkifier, Context> = async ({
  input,
  caller: { realmId },
  context,
  requestId,
}) => {
  const linkifier = checkLinkifier(input)
  const { linkifiersChanged } = domainEvents.realm
  await changeOrganization(context, linkifiersChanged, { realmId, requestId }, async (tx, { linkifiers }) => {
    const others = linkifiers.filter(({ id }) => id !== input.filter_id)
    if (others.length === linkifiers.length) throw badRequest('Linkifier not found')
    checkUnique(others, linkifier)
    await saveLinkifier(tx, input.filter_id, linkifier)
  })
  return {}
}

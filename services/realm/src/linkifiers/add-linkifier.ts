import { domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { changeOrganization } from '../kernel/realms/change-organization.ts'
import { insertLinkifier } from './linkifier.queries.ts'
import { checkCount, checkLinkifier, checkUnique } from './linkifier.rules.ts'

/** Adds a linkifier after all others. Throws BAD_REQUEST with `errors`. */
export const handleAddLinkifier: Handler<typeof endpoints.realm.addLinkifier, Context> = async ({
  input,
  caller: { realmId },
  context,
  requestId,
}) => {
  const linkifier = checkLinkifier(input)
  const { linkifiersChanged } = domainEvents.realm
  const id = await changeOrganization(
    context,
    linkifiersChanged,
    { realmId, requestId },
    async (tx, { linkifiers }) => {
      checkUnique(linkifiers, linkifier)
      checkCount(linkifiers.length)
      const position = (linkifiers.at(-1)?.position ?? 0) + 1
      return insertLinkifier(tx, { ...linkifier, realmId, position })
    },
  )
  return { id }
}

import { domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { showEmailDomain } from '../kernel/parts/email-domain.ts'
import { changeAndPublish } from '../kernel/realms/change-organization.ts'
import { deleteEmailDomain } from './email-domain.queries.ts'
import { getEmailDomain } from './email-domain.rules.ts'

/**
 * Removes a domain. The organization stays restricted even without any domain, so that replacing the last one doesn't
 * let everybody in meanwhile. Throws BAD_REQUEST for a domain that isn't listed.
 */
export const handleRemoveEmailDomain: Handler<typeof endpoints.realm.removeEmailDomain, Context> = async ({
  input,
  caller: { realmId },
  context,
  requestId,
}) => {
  const { emailDomainChanged } = domainEvents.realm
  await changeAndPublish(
    context,
    emailDomainChanged,
    { realmId, requestId },
    {
      change: async (tx, { emailDomains }) => {
        const removed = getEmailDomain(emailDomains, input.domain)
        await deleteEmailDomain(tx, removed.id)
        return showEmailDomain(removed)
      },
      payload: (projection, _organization, domain) => ({ op: 'remove', domain, projection }),
    },
  )
  return {}
}

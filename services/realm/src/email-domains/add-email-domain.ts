import { domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { changeAndPublish } from '../kernel/realms/change-organization.ts'
import { insertEmailDomain } from './email-domain.queries.ts'
import { checkDomainIsNew, checkEmailDomain } from './email-domain.rules.ts'

/** Adds a domain whose addresses may join. Throws BAD_REQUEST. */
export const handleAddEmailDomain: Handler<typeof endpoints.realm.addEmailDomain, Context> = async ({
  input: { domain: requested, allow_subdomains },
  caller: { realmId },
  context,
  requestId,
}) => {
  const domain = checkEmailDomain(requested)
  const { emailDomainChanged } = domainEvents.realm
  const id = await changeAndPublish(
    context,
    emailDomainChanged,
    { realmId, requestId },
    {
      change: async (tx, { emailDomains }) => {
        checkDomainIsNew(domain, emailDomains)
        return insertEmailDomain(tx, { realmId, domain, allowsSubdomains: allow_subdomains })
      },
      payload: (projection) => ({ op: 'add', domain: { domain, allow_subdomains }, projection }),
    },
  )
  return { new_domain: [id, domain] }
}

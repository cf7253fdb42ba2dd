import { domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { changeAndPublish } from '../kernel/realms/change-organization.ts'
import { saveEmailDomain } from './email-domain.queries.ts'
import { foldDomain, getEmailDomain } from './email-domain.rules.ts'

/** Changes whether subdomains are included. Throws BAD_REQUEST for a domain that isn't listed. */
export const handleUpdateEmailDomain: Handler<typeof endpoints.realm.updateEmailDomain, Context> = async ({
  input: { domain, allow_subdomains },
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
      change: (tx, { emailDomains }) =>
        saveEmailDomain(tx, getEmailDomain(emailDomains, domain).id, allow_subdomains),
      payload: (projection) => ({
        op: 'change',
        domain: { domain: foldDomain(domain), allow_subdomains },
        projection,
      }),
    },
  )
  return {}
}

import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { showEmailDomain } from '../kernel/parts/email-domain.ts'
import { findOrganization } from '../kernel/realms/realm.queries.ts'

/** The domains whose addresses may join, in the order in which they were added. */
export const handleListEmailDomains: Handler<typeof endpoints.realm.listEmailDomains, Context> = async ({
  caller,
  context,
}) => {
  const organization = await findOrganization(context.prisma, caller.realmId)
  if (!organization) throw badRequest('There is no such organization')
  return { domains: organization.emailDomains.map(showEmailDomain) }
}

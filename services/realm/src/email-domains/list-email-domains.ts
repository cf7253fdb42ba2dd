import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { showEmailDomain } from '../kernel/parts/email-domain.ts'
import { getOrganization } from '../kernel/realms/realm.queries.ts'

/** The domains whose addresses may join, in the order in which they were added. */
export const handleListEmailDomains: Handler<typeof endpoints.realm.listEmailDomains, Context> = async ({
  caller,
  context,
}) => {
  const { emailDomains } = await getOrganization(context.prisma, caller.realmId)
  return { domains: emailDomains.map(showEmailDomain) }
}

import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { showLinkifier } from '../kernel/parts/linkifier.ts'
import { findOrganization } from '../kernel/realms/realm.queries.ts'

/** The linkifiers, in the order in which they apply. */
export const handleListLinkifiers: Handler<typeof endpoints.realm.listLinkifiers, Context> = async ({
  caller,
  context,
}) => {
  const organization = await findOrganization(context.prisma, caller.realmId)
  if (!organization) throw badRequest('There is no such organization')
  return { linkifiers: organization.linkifiers.map(showLinkifier) }
}

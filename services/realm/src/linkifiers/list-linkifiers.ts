import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { findOrganization } from '../realms/realm.queries.ts'
import { showLinkifier } from './linkifier.ts'

/** The linkifiers, in the order in which they apply. */
export const handleListLinkifiers: Handler<typeof endpoints.realm.listLinkifiers, Context> = async ({
  caller,
  context,
}) => {
  const organization = await findOrganization(context.prisma, caller.realmId)
  if (!organization) throw badRequest('There is no such organization')
  return { linkifiers: organization.linkifiers.map(showLinkifier) }
}

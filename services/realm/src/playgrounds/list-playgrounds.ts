import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { showPlayground } from '../kernel/parts/playground.ts'
import { findOrganization } from '../kernel/realms/realm.queries.ts'

/** The code playgrounds, in the order in which they were added. */
export const handleListPlaygrounds: Handler<typeof endpoints.realm.listPlaygrounds, Context> = async ({
  caller,
  context,
}) => {
  const organization = await findOrganization(context.prisma, caller.realmId)
  if (!organization) throw badRequest('There is no such organization')
  return { playgrounds: organization.playgrounds.map(showPlayground) }
}

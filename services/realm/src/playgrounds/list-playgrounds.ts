import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { showPlayground } from '../kernel/parts/playground.ts'
import { getOrganization } from '../kernel/realms/realm.queries.ts'

/** The code playgrounds, in the order in which they were added. */
export const handleListPlaygrounds: Handler<typeof endpoints.realm.listPlaygrounds, Context> = async ({
  caller,
  context,
}) => {
  const { playgrounds } = await getOrganization(context.prisma, caller.realmId)
  return { playgrounds: playgrounds.map(showPlayground) }
}

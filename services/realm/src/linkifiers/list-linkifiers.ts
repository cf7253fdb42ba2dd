import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { showLinkifier } from '../kernel/parts/linkifier.ts'
import { getOrganization } from '../kernel/realms/realm.queries.ts'

/** The linkifiers, in the order in which they apply. */
export const handleListLinkifiers: Handler<typeof endpoints.realm.listLinkifiers, Context> = async ({
  caller,
  context,
}) => {
  const { linkifiers } = await getOrganization(context.prisma, caller.realmId)
  return { linkifiers: linkifiers.map(showLinkifier) }
}

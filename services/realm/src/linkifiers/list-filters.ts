import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { getOrganization } from '../kernel/realms/realm.queries.ts'
import { toFormatString } from './format-string.rules.ts'

/** The linkifiers for older clients, in their order, without those that they can't fill in. */
export const handleListFilters: Handler<typeof endpoints.realm.listFilters, Context> = async ({
  caller,
  context,
}) => {
  const { linkifiers } = await getOrganization(context.prisma, caller.realmId)
  const filters = linkifiers.flatMap(({ id, pattern, urlTemplate }) => {
    const formatString = toFormatString(urlTemplate)
    return formatString === null ? [] : [[pattern, formatString, id] as [string, string, number]]
  })
  return { filters }
}

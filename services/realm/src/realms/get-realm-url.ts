import { badRequest, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findRealmUrl } from './realm-url.queries.ts'

/** The URL of an organization. Throws BAD_REQUEST if there is none. */
export const handleGetRealmUrl: InternalHandler<typeof internal.realm.getRealmUrl, Context> = async (
  { realm_id },
  { prisma },
) => {
  const url = await findRealmUrl(prisma, realm_id)
  if (url === null) throw badRequest('There is no such organization')
  return { url }
}

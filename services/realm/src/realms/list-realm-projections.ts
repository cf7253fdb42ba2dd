import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { awaitChanges, listOrganizations } from '../kernel/realms/realm.queries.ts'
import { toRealmProjection } from '../kernel/realms/realm-projection.ts'

/** IDs here have 32 bits, so a larger one can't exist. */
const MAX_ID = 2 ** 31 - 1

/** The projections of the requested organizations; unknown ones are left out. */
export const handleListRealmProjections: InternalHandler<
  typeof internal.realm.listRealmProjections,
  Context
> = async ({ realm_ids, string_ids, after_changes }, { prisma }) => {
  const ids = realm_ids?.filter((id) => id > 0 && id <= MAX_ID)
  if (after_changes && ids) await awaitChanges(prisma, ids)
  const realms = await listOrganizations(prisma, {
    ids,
    stringIds: string_ids?.filter((stringId) => !stringId.includes('\0')),
  })
  return { realms: realms.map(toRealmProjection) }
}

import type { RealmChanges } from '@tms/contracts'
import type { RecentChange } from '@tms/service-kit'
import type { PrismaClient } from '../generated/prisma/client.ts'
import { listOrganizations } from '../realms/realm.queries.ts'
import { toRealmProjection } from '../realms/realm-projection.ts'

/** What is now of the organizations that changed, as others follow it. */
export async function loadChanges(
  prisma: PrismaClient,
  changes: readonly RecentChange[],
): Promise<RealmChanges> {
  const organizations = await listOrganizations(prisma, { ids: changes.map(({ subjectId }) => subjectId) })
  return { realms: organizations.map(toRealmProjection) }
}

import type { RealmChanges } from '@tms/contracts'
import type { RecentChange } from '@tms/service-kit'
import type { PrismaClient } from '../generated/prisma/client.ts'
import { listOrganizations } from '../kernel/realms/realm.queries.ts'
import { toRealmProjection } from '../kernel/realms/realm-projection.ts'

/** The current values of changed organizations, as other services follow them. */
export async function loadChanges(
  prisma: PrismaClient,
  changes: readonly RecentChange[],
): Promise<RealmChanges> {
  const organizations = await listOrganizations(prisma, { ids: changes.map(({ subjectId }) => subjectId) })
  return { realms: organizations.map(toRealmProjection) }
}

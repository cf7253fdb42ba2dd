import { type Logger, type Loop, startPagedRepair } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findOrganization } from '../kernel/realms/realm.queries.ts'
import { readSettings } from '../kernel/realms/stored-settings.ts'
import { listHiddenMembers, refreshHiddenMembers } from './hidden-members.ts'
import { listRealmsNamingUsers } from './named-user.queries.ts'

const PAGE_SIZE = 100

/**
 * Repairs which users permissions show. Users calls realm before it answers a request that deactivates or reactivates
 * somebody (`handleRefreshNamedUsers`), but can't while realm is unreachable. If no permission names a user, users isn't
 * called.
 */
export function startHiddenMemberRepair(
  tools: Pick<Context, 'db' | 'prisma' | 'call' | 'transact'>,
  log: Logger,
): Promise<Loop> {
  return startPagedRepair('hidden member repair', log, async (afterId) => {
    const realmIds = await listRealmsNamingUsers(tools.db, { afterId, limit: PAGE_SIZE })
    for (const realmId of realmIds) {
      const organization = await findOrganization(tools.prisma, realmId)
      if (!organization) continue
      const hidden = await listHiddenMembers(tools, realmId, readSettings(organization))
      if (JSON.stringify(hidden) !== JSON.stringify(organization.hiddenMemberIds))
        await refreshHiddenMembers(tools, realmId, null)
    }
    return realmIds.length < PAGE_SIZE ? null : (realmIds.at(-1) ?? null)
  })
}

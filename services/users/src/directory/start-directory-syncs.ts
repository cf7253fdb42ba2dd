import { type Logger, type Loop, startLoop } from '@tms/service-kit'
import type { DirectoryContext } from './directory-context.ts'
import { listDueSyncs } from './directory-sync.queries.ts'
import { syncedDirectoryOf, syncOnce } from './sync-directory.ts'

/** Between two looks for syncs that are due; smaller asks the database for nothing. */
const EVERY_MS = 5_000

/** Syncs organizations with their directories when that is due. Every replica looks; one does each sync. */
export function startDirectorySyncs(context: DirectoryContext, log: Logger): Loop {
  return startLoop({
    name: 'directory syncs',
    log,
    retryMs: EVERY_MS,
    round: async (signal) => {
      const named = context.signOn.ldap?.directories.flatMap(({ organizations }) => organizations ?? []) ?? []
      for (const { name, sync, organizations } of context.signOn.ldap?.directories ?? []) {
        if (!sync) continue
        const subdomains = { own: organizations ?? null, others: named }
        for (const realmId of await listDueSyncs(context.db, name, sync.every_minutes, subdomains)) {
          if (signal.aborted) return EVERY_MS
          await syncDueRealm(context, realmId, sync.every_minutes, log)
        }
      }
      return EVERY_MS
    },
  })
}

async function syncDueRealm(
  context: DirectoryContext,
  realmId: number,
  everyMinutes: number,
  log: Logger,
): Promise<void> {
  const realm = await context.realms.findById(realmId)
  const directory = realm && syncedDirectoryOf(context, realm)
  if (!directory) return
  const fields = { realmId, directory: directory.name }
  try {
    const options = { everyMinutes, isDryRun: false, isForced: false, requestId: null }
    const report = await syncOnce(context, realm, directory, options)
    if (!report) return
    const { people, skipped, updated, reactivated, deactivated, kept, groups, unknown_groups } = report
    const counts = {
      ...{ people, skipped, updated: updated.length, reactivated: reactivated.length },
      ...{ deactivated: deactivated.length, kept: kept.length, groups, unknown_groups },
    }
    log.info({ ...fields, ...counts }, 'accounts were compared with the directory')
  } catch (err) {
    log.warn({ ...fields, err }, 'accounts could not be compared with the directory')
  }
}

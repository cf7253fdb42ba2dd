import { internal } from '@tms/contracts'
import {
  type InternalClient,
  type Logger,
  type Loop,
  type Pool,
  type Publish,
  startLoop,
  transact,
} from '@tms/service-kit'
import { listKnownGroupIds, markGroupsDeleted, saveGroups } from './group-projection.queries.ts'
import { saveRealms } from './projection.queries.ts'
import { PAGE_TIMEOUT_MS, readGroupPages, readUserPages } from './projection-pages.ts'
import { publishPendingChanges } from './publish-pending-changes.ts'
import { updateUserProjections } from './update-user-projections.ts'

/** Catches changes that both announcements and the projection stream have missed. */
const RELOAD_MS = 3_600_000

interface LoadOptions {
  readonly db: Pool
  readonly call: InternalClient
  readonly publish: Publish<'messaging'>
}

/** Loads all organizations. Writes only those that are missing or older here. */
export async function loadRealms({ db, call }: Pick<LoadOptions, 'db' | 'call'>): Promise<void> {
  const { realms } = await call(internal.realm.listRealmProjections, {}, { timeoutMs: PAGE_TIMEOUT_MS })
  await saveRealms(db, realms)
}

/** Loads all users and groups. Writes only those that are missing or older here. */
export async function loadUsers(
  { db, call }: Pick<LoadOptions, 'db' | 'call'>,
  signal?: AbortSignal,
): Promise<void> {
  for await (const users of readUserPages(call)) {
    if (signal?.aborted) return
    await transact(db, (tx) => updateUserProjections(tx, users))
  }
  // A group that was known before and isn't listed any more was deleted.
  const missingIds = new Set(await listKnownGroupIds(db))
  for await (const groups of readGroupPages(call)) {
    if (signal?.aborted) return
    await saveGroups(db, groups)
    for (const { group_id } of groups) missingIds.delete(group_id)
  }
  if (missingIds.size > 0) await markGroupsDeleted(db, [...missingIds])
}

/**
 * Loads all users, groups and organizations at start and every hour, and retries until it works. Newer versions that
 * arrive meanwhile stay. Calls `onLoaded` after each time, then publishes pending changes.
 */
export function startProjectionLoader(options: LoadOptions & { log: Logger; onLoaded: () => void }): Loop {
  const { log, onLoaded } = options
  return startLoop({
    name: 'projection loader',
    log,
    retryMs: 2_000,
    round: async (signal) => {
      await loadRealms(options)
      await loadUsers(options, signal)
      onLoaded()
      await publishPendingChanges(options.db, options.publish)
      log.info('projection of users and organizations loaded')
      return RELOAD_MS
    },
  })
}

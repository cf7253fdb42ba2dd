import { internal } from '@tms/contracts'
import {
  type InternalClient,
  inTransaction,
  type Logger,
  type Loop,
  type Pool,
  type Publish,
  startLoop,
} from '@tms/service-kit'
import { listKnownGroupIds, markGroupsDeleted, saveGroups } from '../groups/known-group.queries.ts'
import { keepUsers } from './keep-users.ts'
import { saveRealms } from './projection.queries.ts'
import { PAGE_TIMEOUT_MS, pagesOfGroups, pagesOfUsers } from './projection-pages.ts'
import { publishPendingChanges } from './publish-pending-changes.ts'

/** A safety net under announcements and the stream of facts. */
const RELOAD_MS = 3_600_000

interface LoadOptions {
  readonly db: Pool
  readonly call: InternalClient
  readonly publish: Publish<'messaging'>
}

/** Loads all organizations. Only what is missing or older is written. */
export async function loadRealms({ db, call }: Pick<LoadOptions, 'db' | 'call'>): Promise<void> {
  const { realms } = await call(internal.realm.listRealmProjections, {}, { timeoutMs: PAGE_TIMEOUT_MS })
  await saveRealms(db, realms)
}

/** Loads all users and groups. Only what is missing or older is written. */
export async function loadUsers(
  { db, call }: Pick<LoadOptions, 'db' | 'call'>,
  signal?: AbortSignal,
): Promise<void> {
  for await (const users of pagesOfUsers(call)) {
    if (signal?.aborted) return
    await inTransaction(db, (tx) => keepUsers(tx, users))
  }
  // Of those that were known before, whichever isn't listed is gone.
  const gone = new Set(await listKnownGroupIds(db))
  for await (const groups of pagesOfGroups(call)) {
    if (signal?.aborted) return
    await saveGroups(db, groups)
    for (const { group_id } of groups) gone.delete(group_id)
  }
  if (gone.size > 0) await markGroupsDeleted(db, [...gone])
}

/**
 * Loads the facts of all users, groups and organizations at start and now and then, until it works; newer facts that
 * arrive meanwhile stay. `onLoaded` is called after each time; what follows is published.
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

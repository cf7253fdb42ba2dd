import { internal } from '@tms/contracts'
import {
  type InternalClient,
  type Logger,
  type Loop,
  type Pool,
  type Publish,
  startLoop,
} from '@tms/service-kit'
import { saveGroups } from '../groups/known-group.queries.ts'
import { saveRealms, saveUsers } from './projection.queries.ts'
import { settleUntold } from './settle-untold.ts'

const PAGE_SIZE = 5_000
/** Each comes with all its members. */
const GROUPS_PAGE_SIZE = 500
/** A page of facts takes its owner longer than the calls on a request's path may. */
const PAGE_TIMEOUT_MS = 30_000
/** A safety net under the stream of facts, in case the broker lost what it held. */
const RELOAD_MS = 3_600_000

/**
 * Loads the facts of all users, groups and organizations at start and now and then, until it works; newer facts that
 * arrive meanwhile by the stream stay. Only what is missing or older is written, and what follows from it told.
 */
export function startFactsLoader(options: {
  db: Pool
  call: InternalClient
  publish: Publish<'messaging'>
  log: Logger
}): Loop {
  const { db, call, publish, log } = options
  return startLoop({
    name: 'facts loader',
    log,
    retryMs: 2_000,
    round: async (signal) => {
      const { realms } = await call(internal.realm.listRealmFacts, {}, { timeoutMs: PAGE_TIMEOUT_MS })
      await saveRealms(db, realms)

      let afterUserId = 0
      let loaded = 0
      while (!signal.aborted) {
        const { users } = await call(
          internal.users.listUserFacts,
          { after_user_id: afterUserId, limit: PAGE_SIZE },
          { timeoutMs: PAGE_TIMEOUT_MS },
        )
        await saveUsers(db, users)
        loaded += users.length
        afterUserId = users.at(-1)?.user_id ?? afterUserId
        if (users.length < PAGE_SIZE) break
      }
      await settleUntold(db, publish)
      await loadGroups(db, call, signal)
      log.info({ users: loaded, realms: realms.length }, 'facts of users and organizations loaded')
      return RELOAD_MS
    },
  })
}

async function loadGroups(db: Pool, call: InternalClient, signal: AbortSignal): Promise<void> {
  let afterGroupId = 0
  while (!signal.aborted) {
    const { groups } = await call(
      internal.users.listUserGroupFacts,
      { after_group_id: afterGroupId, limit: GROUPS_PAGE_SIZE },
      { timeoutMs: PAGE_TIMEOUT_MS },
    )
    await saveGroups(db, groups)
    afterGroupId = groups.at(-1)?.group_id ?? afterGroupId
    if (groups.length < GROUPS_PAGE_SIZE) return
  }
}

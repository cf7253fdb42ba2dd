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
import { saveGroups } from '../groups/known-group.queries.ts'
import { listUntoldPolicies } from '../guest-sights/policy.queries.ts'
import { settlePolicy } from '../guest-sights/settle-policy.ts'
import { PAGE_TIMEOUT_MS, pagesOfGroups, pagesOfUsers } from './fact-pages.ts'
import { saveRealms, saveUsers } from './projection.queries.ts'
import { settleStanding } from './settle-standing.ts'
import { listUntold } from './standing.queries.ts'

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

      let loaded = 0
      for await (const users of pagesOfUsers(call)) {
        if (signal.aborted) break
        await saveUsers(db, users)
        loaded += users.length
      }
      for (const userId of await listUntold(db)) {
        await inTransaction(db, (tx) => settleStanding(tx, publish, userId, null))
      }
      for (const realmId of await listUntoldPolicies(db)) {
        await inTransaction(db, (tx) => settlePolicy(tx, realmId, null))
      }
      for await (const groups of pagesOfGroups(call)) {
        if (signal.aborted) break
        await saveGroups(db, groups)
      }
      log.info({ users: loaded, realms: realms.length }, 'facts of users and organizations loaded')
      return RELOAD_MS
    },
  })
}

import { badRequest, internal, type RealmFacts } from '@tms/contracts'
import { type InternalClient, inTransaction, type Pool } from '@tms/service-kit'
import { saveGroups } from '../groups/known-group.queries.ts'
import { settlePolicy } from '../guest-sights/settle-policy.ts'
import { PAGE_TIMEOUT_MS, pagesOfGroups, pagesOfUsers } from './fact-pages.ts'
import { keepRealms } from './keep-realms.ts'
import { saveUsers } from './projection.queries.ts'

/**
 * Asks the owners for everything that messaging keeps of an organization, its users and groups, and returns the facts of
 * the organization. Throws BAD_REQUEST if there is none, and SERVICE_UNAVAILABLE if they can't be asked.
 */
export async function learnOrganization(
  db: Pool,
  call: InternalClient,
  realmId: number,
): Promise<RealmFacts> {
  const { realms } = await call(
    internal.realm.listRealmFacts,
    { realm_ids: [realmId] },
    { timeoutMs: PAGE_TIMEOUT_MS },
  )
  const [realm] = realms
  if (!realm) throw badRequest('No such organization')
  await keepRealms(db, realms)
  for await (const users of pagesOfUsers(call, realmId)) await saveUsers(db, users)
  for await (const groups of pagesOfGroups(call)) {
    await saveGroups(
      db,
      groups.filter(({ realm_id }) => realm_id === realmId),
    )
  }
  await inTransaction(db, (tx) => settlePolicy(tx, realmId, null))
  return realm
}

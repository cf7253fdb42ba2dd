import { domainEvents } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { listGroupProjectionsOfRealm } from '../groups/group.queries.ts'
import { listAccountsPage } from '../kernel/accounts/account-list.queries.ts'
import { toUserProjection } from '../kernel/accounts/user-projection.ts'
import { publish } from '../kernel/publish.ts'

/** Per event: a user may have a hundred kilobytes, and a group has all its members. */
const USERS_AT_ONCE = 100
const GROUPS_AT_ONCE = 20

/** Publishes all users and groups of an imported organization, in batches. */
export async function publishImportedAccounts(tx: Tx, realmId: number): Promise<void> {
  const cause = { realmId, requestId: null }
  const { organizationImported } = domainEvents.users
  for (let afterId = 0, isLast = false; !isLast; ) {
    const accounts = await listAccountsPage(tx, { realmId, afterId, limit: USERS_AT_ONCE })
    if (accounts.length > 0)
      await publish(tx, organizationImported, { users: accounts.map(toUserProjection), groups: [] }, cause)
    afterId = accounts.at(-1)?.id ?? afterId
    isLast = accounts.length < USERS_AT_ONCE
  }
  for (let afterId = 0, isLast = false; !isLast; ) {
    const groups = await listGroupProjectionsOfRealm(tx, realmId, { afterId, limit: GROUPS_AT_ONCE })
    if (groups.length > 0) await publish(tx, organizationImported, { users: [], groups }, cause)
    afterId = groups.at(-1)?.group_id ?? afterId
    isLast = groups.length < GROUPS_AT_ONCE
  }
}

import type { UsersChanges } from '@tms/contracts'
import type { Pool, RecentChange } from '@tms/service-kit'
import { listGroupProjectionsById } from '../groups/group.queries.ts'
import { listAccountsByIdOrEmail } from '../kernel/accounts/account-list.queries.ts'
import { toUserProjection } from '../kernel/accounts/user-projection.ts'

/** The current state of the changed accounts and groups, for consumers. */
export async function loadChanges(db: Pool, changes: readonly RecentChange[]): Promise<UsersChanges> {
  const idsOf = (kind: string) =>
    changes.filter((change) => change.kind === kind).map(({ subjectId }) => subjectId)
  const userIds = idsOf('user')
  const groupIds = idsOf('group')
  const [accounts, groups] = await Promise.all([
    userIds.length === 0
      ? []
      : listAccountsByIdOrEmail(db, { realmId: null, ids: userIds, foldedEmails: [] }),
    groupIds.length === 0 ? [] : listGroupProjectionsById(db, groupIds),
  ])
  const present = new Set(groups.map(({ group_id }) => group_id))
  return {
    identity_user_ids: idsOf('identity'),
    identity_realm_ids: idsOf('realm_identities'),
    users: accounts.map(toUserProjection),
    groups,
    removed_group_ids: groupIds.filter((id) => !present.has(id)),
  }
}

import {
  customGroupsOf,
  hasPermission,
  isFullMember,
  isInSystemGroup,
  type RealmPermission,
  type RealmProjection,
  realmPermissions,
} from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { Account } from '../accounts/account.queries.ts'
import { listNestedGroups } from './nested-group.queries.ts'

type Member = Pick<Account, 'id' | 'role' | 'dateJoined' | 'realmId'>

/**
 * Which of these permissions of the organization an active account has. Without custom groups in their values this costs
 * no query.
 */
export async function findRealmPermissions<Name extends RealmPermission>(
  db: Queryable,
  realm: RealmProjection,
  account: Member,
  names: readonly Name[],
  now: Date,
): Promise<Record<Name, boolean>> {
  const { id, role, dateJoined } = account
  const joined = { role, date_joined: dateJoined.getTime() / 1000 }
  const isFull = isFullMember(joined, realm.waiting_period_threshold, now.getTime() / 1000)
  const user = { userId: id, role, isFullMember: isFull }
  const custom = [...new Set(names.flatMap((name) => customGroupsOf(realm[name])))]
  const nested = custom.length > 0 ? await listNestedGroups(db, account.realmId, custom, id) : []
  const groups = new Set(
    nested
      .filter(({ isMember, within }) => isMember || within.some((group) => isInSystemGroup(group, user)))
      .map(({ groupId }) => groupId),
  )
  return Object.fromEntries(
    names.map((name) => [
      name,
      hasPermission(realmPermissions[name], realm[name], user, (group) => groups.has(group)),
    ]),
  ) as Record<Name, boolean>
}

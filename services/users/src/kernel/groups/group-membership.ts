import {
  customGroupsOf,
  hasPermission,
  isFullMember,
  isInSystemGroup,
  type PolicySubject,
  type RealmPermission,
  type RealmProjection,
  realmPermissions,
} from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { Account } from '../accounts/account.queries.ts'
import { listNestedGroups } from './nested-group.queries.ts'

/** An account whose permissions are in question. */
export interface PermissionSubject extends PolicySubject {
  readonly userId: number
}

type Member = Pick<Account, 'id' | 'role' | 'dateJoined' | 'realmId'>

export function permissionSubjectOf(
  realm: Pick<RealmProjection, 'waiting_period_threshold'>,
  { id, role, dateJoined }: Member,
  now: Date,
): PermissionSubject {
  const joined = { role, date_joined: dateJoined.getTime() / 1000 }
  const isFull = isFullMember(joined, realm.waiting_period_threshold, now.getTime() / 1000)
  return { userId: id, role, isFullMember: isFull }
}

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
  const user = permissionSubjectOf(realm, account, now)
  const custom = [...new Set(names.flatMap((name) => customGroupsOf(realm[name])))]
  const nested = custom.length > 0 ? await listNestedGroups(db, account.realmId, custom, account.id) : []
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

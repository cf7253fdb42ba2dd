import {
  type ChannelPermission,
  type ChannelPermissionValues,
  channelPermissions,
  customGroupsOf,
  type GroupSettingValue,
  hasPermission,
  isInSystemGroup,
  type PermissionSetting,
  type PolicySubject,
  type RealmPermission,
  type RealmPermissionValues,
  Role,
  realmPermissions,
} from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { findSubgroups } from './known-group.queries.ts'

/** An active user whose permissions are in question. */
export interface Candidate {
  readonly userId: number
  readonly policySubject: PolicySubject
}

/** Whether a user has a permission in the organization. Costs no query unless its value names custom groups. */
export function hasRealmPermission(
  db: Queryable,
  realm: RealmPermissionValues,
  name: RealmPermission,
  user: Candidate,
): Promise<boolean> {
  return isAnyPermitted(db, realmPermissions[name], realm[name], [user])
}

/** Whether a user has a permission on a channel. Costs no query unless its value names custom groups. */
export function hasChannelPermission(
  db: Queryable,
  { permissions }: { readonly permissions: ChannelPermissionValues },
  name: ChannelPermission,
  user: Candidate,
): Promise<boolean> {
  return isAnyPermitted(db, channelPermissions[name], permissions[name], [user])
}

/**
 * Whether one of these users has a permission of this value. Costs one query if it depends on custom groups, of which an
 * unknown one has no members.
 */
export async function isAnyPermitted(
  db: Queryable,
  permission: PermissionSetting,
  value: GroupSettingValue,
  users: readonly Candidate[],
): Promise<boolean> {
  const isOutsideCustomGroups = ({ userId, policySubject }: Candidate) =>
    hasPermission(permission, value, { userId, ...policySubject }, () => false)
  if (users.some(isOutsideCustomGroups)) return true
  const eligible = users.filter(
    ({ policySubject }) => permission.allowsEveryone || policySubject.role <= Role.member,
  )
  const custom = customGroupsOf(value)
  if (custom.length === 0 || eligible.length === 0) return false
  const userIds = eligible.map(({ userId }) => userId)
  const { groupIds, isMember } = await findSubgroups(db, custom, userIds)
  return (
    isMember ||
    eligible.some(({ policySubject }) => groupIds.some((id) => isInSystemGroup(id, policySubject)))
  )
}

import { isCustomGroup, isInSystemGroup, type PolicySubject } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { findSubgroups } from './known-group.queries.ts'

interface Candidate {
  readonly userId: number
  readonly policySubject: PolicySubject
}

/**
 * Whether one of these users, all of them active, is in one of these groups, directly or through subgroups. System
 * groups cost no query. A group that is unknown here has no members.
 */
export async function isInAny(
  db: Queryable,
  groupIds: readonly number[],
  users: readonly Candidate[],
): Promise<boolean> {
  const isInOneOf = (ids: readonly number[]) =>
    users.some(({ policySubject }) => ids.some((id) => isInSystemGroup(id, policySubject)))
  if (isInOneOf(groupIds)) return true
  const custom = groupIds.filter(isCustomGroup)
  if (custom.length === 0) return false
  const { groupIds: within, isMember } = await findSubgroups(
    db,
    custom,
    users.map(({ userId }) => userId),
  )
  return isMember || isInOneOf(within)
}

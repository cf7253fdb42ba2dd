import { isCustomGroup, isInSystemGroup, type PolicySubject } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { findWithin } from './known-group.queries.ts'

interface Candidate {
  readonly userId: number
  readonly standing: PolicySubject
}

/**
 * Whether one of these people, all of them active, is in one of these groups, directly or through groups within them.
 * Groups that follow from roles cost no query. A group that isn't known here has nobody.
 */
export async function isInAny(
  db: Queryable,
  groupIds: readonly number[],
  people: readonly Candidate[],
): Promise<boolean> {
  const isInOneOf = (ids: readonly number[]) =>
    people.some(({ standing }) => ids.some((id) => isInSystemGroup(id, standing)))
  if (isInOneOf(groupIds)) return true
  const custom = groupIds.filter(isCustomGroup)
  if (custom.length === 0) return false
  const { groupIds: within, isMember } = await findWithin(
    db,
    custom,
    people.map(({ userId }) => userId),
  )
  return isMember || isInOneOf(within)
}

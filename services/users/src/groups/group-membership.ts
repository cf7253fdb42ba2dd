import { isCustomGroup, isFullMember, isInSystemGroup, type RealmProjection } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { Person } from '../accounts/account.queries.ts'
import { findWithin } from './group.queries.ts'

/** Finds out in which of these groups someone is, directly or through groups within them. */
export async function findGroupsWith(
  db: Queryable,
  person: Pick<Person, 'id' | 'role' | 'dateJoined' | 'realmId'>,
  groupIds: readonly number[],
  { waiting_period_threshold }: Pick<RealmProjection, 'waiting_period_threshold'>,
  now: Date,
): Promise<Set<number>> {
  const { role, dateJoined } = person
  const member = { role, date_joined: dateJoined.getTime() / 1000 }
  const standing = {
    role,
    isFullMember: isFullMember(member, waiting_period_threshold, now.getTime() / 1000),
  }
  const isIn = (id: number) => isInSystemGroup(id, standing)
  const custom = groupIds.filter(isCustomGroup)
  const found = custom.length > 0 ? await findWithin(db, person.realmId, custom, person.id) : []
  const members = found.filter(({ isMember, within }) => isMember || within.some(isIn))
  return new Set([...groupIds.filter(isIn), ...members.map(({ groupId }) => groupId)])
}

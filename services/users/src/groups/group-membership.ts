import { isCustomGroup, isFullMember, isInSystemGroup, type RealmProjection } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { listNestedGroups } from './group.queries.ts'

/** Which of these groups contain the user, directly or through subgroups. */
export async function listGroupIdsOfMember(
  db: Queryable,
  account: Pick<Account, 'id' | 'role' | 'dateJoined' | 'realmId'>,
  groupIds: readonly number[],
  { waiting_period_threshold }: Pick<RealmProjection, 'waiting_period_threshold'>,
  now: Date,
): Promise<Set<number>> {
  const { role, dateJoined } = account
  const member = { role, date_joined: dateJoined.getTime() / 1000 }
  const subject = {
    role,
    isFullMember: isFullMember(member, waiting_period_threshold, now.getTime() / 1000),
  }
  const isIn = (id: number) => isInSystemGroup(id, subject)
  const custom = groupIds.filter(isCustomGroup)
  const found = custom.length > 0 ? await listNestedGroups(db, account.realmId, custom, account.id) : []
  const members = found.filter(({ isMember, within }) => isMember || within.some(isIn))
  return new Set([...groupIds.filter(isIn), ...members.map(({ groupId }) => groupId)])
}

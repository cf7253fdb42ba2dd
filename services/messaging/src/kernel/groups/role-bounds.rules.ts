import { type RealmProjection, Role, systemGroupIds } from '@tms/contracts'
import type { RoleBounds } from './known-group.queries.ts'

const DAY_SECONDS = 86_400

const weakestRoles: Readonly<Record<number, number>> = {
  [systemGroupIds['role:owners']]: Role.owner,
  [systemGroupIds['role:administrators']]: Role.administrator,
  [systemGroupIds['role:moderators']]: Role.moderator,
  [systemGroupIds['role:fullmembers']]: Role.moderator,
  [systemGroupIds['role:members']]: Role.member,
  [systemGroupIds['role:everyone']]: Role.guest,
  [systemGroupIds['role:internet']]: Role.guest,
}

/** Members of the system groups among these groups; each system group contains the smaller ones. */
export function roleBoundsOf(
  groupIds: readonly number[],
  realm: Pick<RealmProjection, 'waiting_period_threshold'>,
  now: Date,
): RoleBounds {
  const roleAtMost = Math.max(0, ...groupIds.map((id) => weakestRoles[id] ?? 0))
  const hasFullMembers = groupIds.includes(systemGroupIds['role:fullmembers'])
  const waitSeconds = realm.waiting_period_threshold * DAY_SECONDS
  return {
    roleAtMost,
    membersJoinedBy: hasFullMembers ? Math.floor(now.getTime() / 1000) - waitSeconds : null,
  }
}

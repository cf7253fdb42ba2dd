import type { RoleMembers } from '../groups/system-groups.rules.ts'
import type { UserListSnapshot } from '../user-list-cache/read-user-list-snapshot.ts'

/** Active users of a snapshot by role, in order. `waiting` are the members in their waiting period, who are separate. */
export function roleMembersOf({ chunks }: UserListSnapshot, waiting: ReadonlySet<number>): RoleMembers[] {
  const [full, waitingOf] = [new Map<number, number[]>(), new Map<number, number[]>()]
  for (const { entries } of chunks) {
    for (const { id, role, listKind } of entries) {
      if (listKind !== 'active') continue
      const byRole = waiting.has(id) ? waitingOf : full
      const ids = byRole.get(role)
      if (ids) ids.push(id)
      else byRole.set(role, [id])
    }
  }
  const listOf = (byRole: ReadonlyMap<number, number[]>, isWaiting: boolean) =>
    [...byRole].map(([role, userIds]) => ({ role, isWaiting, userIds }))
  return [...listOf(full, false), ...listOf(waitingOf, true)]
}

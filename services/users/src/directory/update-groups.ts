import { listActiveUserIds, listGroupRows } from '../groups/group.queries.ts'
import { groupNameKey } from '../groups/group-name.rules.ts'
import { moveMembers } from '../groups/move-members.ts'
import type { Context } from '../kernel/context.ts'
import { lockGroups } from '../kernel/groups/group-lock.queries.ts'
import { foldDn } from './directory-names.rules.ts'
import type { SyncPlan } from './sync-plan.rules.ts'

/** The folded DNs of the members of directory groups, by the names of user groups. */
export type DirectoryGroups = ReadonlyMap<string, ReadonlySet<string>>

interface GroupUpdate {
  /** Names of groups that changed, or would. */
  readonly changed: string[]
  /** Names of groups that the organization doesn't have. */
  readonly unknown: string[]
}

/**
 * Lets people of the directory join and leave user groups of its groups' names. Other members stay, and no group is
 * made.
 */
export function updateGroups(
  { transact }: Pick<Context, 'transact'>,
  realmId: number,
  { present }: Pick<SyncPlan, 'present'>,
  groups: DirectoryGroups,
  { isDryRun, requestId }: { readonly isDryRun: boolean; readonly requestId: string | null },
): Promise<GroupUpdate> {
  return transact(async (tx) => {
    const [changed, unknown]: [string[], string[]] = [[], []]
    if (groups.size === 0) return { changed, unknown }
    await lockGroups(tx, realmId)
    const rows = await listGroupRows(tx, realmId)
    const ids = present.map(({ account }) => account.id)
    const active = new Set(await listActiveUserIds(tx, realmId, ids))
    for (const [name, members] of groups) {
      const group = rows.find((row) => row.nameKey === groupNameKey(name) && !row.isDeactivated)
      if (!group) {
        unknown.push(name)
        continue
      }
      const moves: { added: number[]; removed: number[] } = { added: [], removed: [] }
      for (const { account, person } of present) {
        const [has, wants] = [group.memberIds.includes(account.id), members.has(foldDn(person.dn))]
        if (has !== wants && active.has(account.id)) moves[wants ? 'added' : 'removed'].push(account.id)
      }
      if (moves.added.length + moves.removed.length === 0) continue
      changed.push(group.name)
      if (!isDryRun) await moveMembers(tx, group, moves, requestId)
    }
    return { changed, unknown }
  })
}

import { SharedText, writeItems } from '@tms/service-kit'
import { systemGroupsOf } from '../groups/system-groups.rules.ts'
import type { UserListSnapshot } from '../user-list-cache/read-user-list-snapshot.ts'
import { roleMembersOf } from './role-members.ts'

/** The system groups of a snapshot as items of JSON. `waiting` are the members in their waiting period. */
export type WriteSystemGroups = (snapshot: UserListSnapshot, waiting: ReadonlySet<number>) => SharedText

/** Writes them once for all who register while no user changes: with 50,000 users, that takes 10 ms. */
export function createSystemGroupWriter(): WriteSystemGroups {
  const written = new WeakMap<
    UserListSnapshot['chunks'],
    { readonly waiting: ReadonlySet<number>; readonly text: SharedText }
  >()
  return (snapshot, waiting) => {
    const last = written.get(snapshot.chunks)
    if (last && isSame(last.waiting, waiting)) return last.text
    const text = new SharedText(writeItems(systemGroupsOf(roleMembersOf(snapshot, waiting))))
    written.set(snapshot.chunks, { waiting, text })
    return text
  }
}

const isSame = (one: ReadonlySet<number>, other: ReadonlySet<number>): boolean =>
  one.size === other.size && [...one].every((id) => other.has(id))

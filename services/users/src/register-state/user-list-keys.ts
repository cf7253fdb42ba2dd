import { WrittenList } from '@tms/service-kit'
import type { UserListSnapshot } from '../user-list-cache/read-user-list-snapshot.ts'
import { renderUserLists, type UserListReader } from '../user-list-cache/render-user-lists.ts'

/** The lists of the fetch type `realm_user`. */
export function userListKeys(
  userList: UserListSnapshot,
  reader: UserListReader,
): Record<string, WrittenList> {
  const { active, inactive, systemBot } = renderUserLists(userList, reader)
  return {
    realm_users: new WrittenList(active),
    realm_non_active_users: new WrittenList(inactive),
    cross_realm_bots: new WrittenList(systemBot),
  }
}

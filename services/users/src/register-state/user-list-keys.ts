import { WrittenList } from '@tms/service-kit'
import type { UserListSnapshot } from '../user-list-cache/read-edition.ts'
import { type Reader, writeLists } from '../user-list-cache/write-lists.ts'

/** The lists of the fetch type `realm_user`. */
export function userListKeys(people: UserListSnapshot, reader: Reader): Record<string, WrittenList> {
  const { active, inactive, systemBot } = writeLists(people, reader)
  return {
    realm_users: new WrittenList(active),
    realm_non_active_users: new WrittenList(inactive),
    cross_realm_bots: new WrittenList(systemBot),
  }
}

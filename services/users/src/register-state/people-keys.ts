import { WrittenList } from '@tms/service-kit'
import type { Edition } from '../people-texts/read-edition.ts'
import { type Reader, writeLists } from '../people-texts/write-lists.ts'

/** The lists of the fetch type `realm_user`. */
export function peopleKeys(people: Edition, reader: Reader): Record<string, WrittenList> {
  const { active, inactive, systemBot } = writeLists(people, reader)
  return {
    realm_users: new WrittenList(active),
    realm_non_active_users: new WrittenList(inactive),
    cross_realm_bots: new WrittenList(systemBot),
  }
}

import type { UserRecord } from '@tms/contracts'
import { type ShownPerson, toUserRecord, type View } from '../accounts/user-record.ts'

/**
 * The lists of the fetch type `realm_user`: active people and bots, deactivated ones, the server's own actors. Their
 * records are made as they are written.
 */
export function peopleKeys(people: readonly ShownPerson[], view: View): Record<string, Iterable<UserRecord>> {
  const active: ShownPerson[] = []
  const inactive: ShownPerson[] = []
  const systemBots: ShownPerson[] = []
  for (const person of people) {
    const list = person.isSystemBot ? systemBots : person.isActive ? active : inactive
    list.push(person)
  }
  return {
    realm_users: recordsOf(active, view),
    realm_non_active_users: recordsOf(inactive, view),
    cross_realm_bots: recordsOf(systemBots, view),
  }
}

function* recordsOf(people: readonly ShownPerson[], view: View): Generator<UserRecord> {
  for (const person of people) yield toUserRecord(person, view)
}

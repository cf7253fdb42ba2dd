import type { UserRecord } from '@tms/contracts'
import type { Person } from '../accounts/account.queries.ts'
import { toUserRecord, type View } from '../accounts/user-record.ts'

/** The lists of the fetch type `realm_user`: active people and bots, deactivated ones, the server's own actors. */
export function peopleKeys(people: readonly Person[], view: View): Record<string, unknown> {
  const active: UserRecord[] = []
  const inactive: UserRecord[] = []
  const systemBots: UserRecord[] = []
  for (const person of people) {
    const list = person.isSystemBot ? systemBots : person.isActive ? active : inactive
    list.push(toUserRecord(person, view))
  }
  return { realm_users: active, realm_non_active_users: inactive, cross_realm_bots: systemBots }
}

import type { UserRecord } from '@tms/contracts'
import type { Person } from '../accounts/account.queries.ts'
import { toUserRecord, type View } from '../accounts/user-record.ts'

/** The two lists of the fetch type `realm_user`, and the server's own actors, of which there are none yet. */
export function peopleKeys(people: readonly Person[], view: View): Record<string, unknown> {
  const active: UserRecord[] = []
  const inactive: UserRecord[] = []
  for (const person of people) (person.isActive ? active : inactive).push(toUserRecord(person, view))
  return { realm_users: active, realm_non_active_users: inactive, cross_realm_bots: [] }
}

import { type UserRecord, unknownUser } from '@tms/contracts'
import type { Person } from '../accounts/account.queries.ts'
import { toUserRecord, type View } from '../accounts/user-record.ts'
import type { Sight } from '../guest-sights/sight.ts'

interface PeopleView extends View {
  readonly sight: Sight
  /** What the addresses of unknown users end in. */
  readonly emailHost: string
  /** The client knows that there may be others; it gets no unknown users. */
  readonly leavesOutUnknown: boolean
}

/** The lists of the fetch type `realm_user`: active people and bots, deactivated ones, the server's own actors. */
export function peopleKeys(people: readonly Person[], view: PeopleView): Record<string, unknown> {
  const active: UserRecord[] = []
  const inactive: UserRecord[] = []
  const systemBots: UserRecord[] = []
  for (const person of people) {
    if (!view.sight.sees(person)) {
      if (!view.leavesOutUnknown) active.push(unknownRecord(person.id, view))
      continue
    }
    const list = person.isSystemBot ? systemBots : person.isActive ? active : inactive
    list.push(toUserRecord(person, view))
  }
  return { realm_users: active, realm_non_active_users: inactive, cross_realm_bots: systemBots }
}

/** Among the active ones, whatever the person is. */
function unknownRecord(userId: number, view: PeopleView): UserRecord {
  const { is_active: _, ...record } = unknownUser(userId, view.emailHost, view)
  return record
}

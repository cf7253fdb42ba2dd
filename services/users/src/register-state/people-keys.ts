import { type UserRecord, unknownUser } from '@tms/contracts'
import { type ShownPerson, toUserRecord, type View } from '../accounts/user-record.ts'
import type { Sight } from '../guest-sights/sight.ts'

interface PeopleView extends View {
  readonly sight: Sight
  /** What the addresses of unknown users end in. */
  readonly emailHost: string
  /** The client knows that there may be others; it gets no unknown users. */
  readonly leavesOutUnknown: boolean
}

/**
 * The lists of the fetch type `realm_user`: active people and bots, deactivated ones, the server's own actors. Their
 * records are made as they are written. Who is unknown stands among the active ones, whoever it is.
 */
export function peopleKeys(
  people: readonly ShownPerson[],
  view: PeopleView,
): Record<string, Iterable<UserRecord>> {
  const active: ShownPerson[] = []
  const inactive: ShownPerson[] = []
  const systemBots: ShownPerson[] = []
  for (const person of people) {
    const isSeen = view.sight.sees(person)
    if (!isSeen && view.leavesOutUnknown) continue
    const list = isSeen && person.isSystemBot ? systemBots : !isSeen || person.isActive ? active : inactive
    list.push(person)
  }
  return {
    realm_users: recordsOf(active, view),
    realm_non_active_users: recordsOf(inactive, view),
    cross_realm_bots: recordsOf(systemBots, view),
  }
}

function* recordsOf(people: readonly ShownPerson[], view: PeopleView): Generator<UserRecord> {
  for (const person of people) {
    yield view.sight.sees(person) ? toUserRecord(person, view) : unknownRecord(person.id, view)
  }
}

function unknownRecord(userId: number, view: PeopleView): UserRecord {
  const { is_active: _, ...record } = unknownUser(userId, view.emailHost, view)
  return record
}

import { UNKNOWN_USER_NAME, unknownUser } from '@tms/contracts'
import type { ClientEvent } from '@tms/test-kit'

type Fields = Record<string, unknown>
interface User extends Fields {
  readonly user_id: number
}

/** What clients are told when it changes of someone. Where an avatar is depends on the client, its version doesn't. */
const FIELDS = [
  'full_name',
  'role',
  'email',
  'delivery_email',
  'timezone',
  'avatar_version',
  'bot_owner_id',
  'is_active',
] as const

/** What a careful client keeps of everyone in the organization, deactivated people included. */
export class PeopleModel {
  readonly #problems: string[]
  readonly #people = new Map<number, Fields>()
  #hostOfUnknown = ''

  constructor(state: Record<string, unknown>, problems: string[]) {
    this.#problems = problems
    for (const user of state['realm_users'] as User[]) this.#keep({ ...user, is_active: true })
    for (const user of state['realm_non_active_users'] as User[]) this.#keep({ ...user, is_active: false })
  }

  /** Whether the event is about any of this. */
  apply(kind: string, event: ClientEvent): boolean {
    switch (kind) {
      case 'realm_user add': {
        const user = event['person'] as User
        const known = this.#people.get(user.user_id)
        const isNews = !known || (isUnknown(known) && !isUnknown(user))
        if (!isNews) this.#problems.push(`user ${user.user_id} came twice`)
        this.#keep(user)
        return true
      }
      case 'realm_user remove':
        this.#forget(event['person'] as User)
        return true
      case 'realm_user update':
        this.#update(event['person'] as User)
        return true
      default:
        return false
    }
  }

  comparable(): Record<string, unknown> {
    return { people: [...this.#people].sort(([a], [b]) => a - b) }
  }

  /** Who goes out of a guest's sight is an unknown user from then on, as register would say. */
  #forget({ user_id }: User): void {
    const known = this.#people.get(user_id)
    if (!known || isUnknown(known)) this.#problems.push(`user ${user_id} went without having been seen`)
    this.#keep(unknownUser(user_id, this.#hostOfUnknown, { withProfileData: true }))
  }

  #keep(user: User): void {
    if (isUnknown(user)) this.#hostOfUnknown = String(user['email']).split('@')[1] ?? ''
    this.#people.set(user.user_id, Object.fromEntries(FIELDS.map((name) => [name, user[name]])))
  }

  /** What changes to what it is already was told twice; an avatar may be told to be where it was. */
  #update({ user_id, new_email, ...fields }: User): void {
    const change: Fields = new_email === undefined ? fields : { email: new_email }
    const known = this.#people.get(user_id)
    const told = FIELDS.filter((name) => name in change)
    const isNews =
      'avatar_url' in change || told.length === 0 || told.some((name) => known?.[name] !== change[name])
    if (!known) this.#problems.push(`user ${user_id} changed without having been there`)
    else if (!isNews) this.#problems.push(`${told.join()} of user ${user_id} came twice`)
    for (const name of told) Object.assign(known ?? {}, { [name]: change[name] })
  }
}

const isUnknown = (user: Fields): boolean => user['full_name'] === UNKNOWN_USER_NAME

import { UNKNOWN_USER_NAME, unknownUser } from '@tms/contracts'
import type { ClientEvent } from '@tms/test-kit'

type Fields = Record<string, unknown>
interface User extends Fields {
  readonly user_id: number
}

/** Fields of a user that clients receive when they change. The URL of an avatar depends on the client, its version does not. */
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

/** All users of the organization, including deactivated ones, as a careful client stores them. */
export class UserModel {
  readonly #problems: string[]
  readonly #users = new Map<number, Fields>()
  #unknownUserHost = ''

  constructor(state: Record<string, unknown>, problems: string[]) {
    this.#problems = problems
    for (const user of state['realm_users'] as User[]) this.#store({ ...user, is_active: true })
    for (const user of state['realm_non_active_users'] as User[]) this.#store({ ...user, is_active: false })
  }

  /** Returns whether the event is about users. */
  apply(kind: string, event: ClientEvent): boolean {
    switch (kind) {
      case 'realm_user add': {
        const user = event['person'] as User
        const known = this.#users.get(user.user_id)
        const isChange = !known || (isUnknown(known) && !isUnknown(user))
        if (!isChange) this.#problems.push(`user ${user.user_id} came twice`)
        this.#store(user)
        return true
      }
      case 'realm_user remove':
        this.#hide(event['person'] as User)
        return true
      case 'realm_user update':
        this.#update(event['person'] as User)
        return true
      default:
        return false
    }
  }

  comparable(): Record<string, unknown> {
    return { people: [...this.#users].sort(([a], [b]) => a - b) }
  }

  /** A user who becomes invisible to a guest is an unknown user from then on, as in the register state. */
  #hide({ user_id }: User): void {
    const known = this.#users.get(user_id)
    if (!known || isUnknown(known)) this.#problems.push(`user ${user_id} went without having been seen`)
    this.#store(unknownUser(user_id, this.#unknownUserHost, { withProfileData: true }))
  }

  #store(user: User): void {
    if (isUnknown(user)) this.#unknownUserHost = String(user['email']).split('@')[1] ?? ''
    this.#users.set(user.user_id, Object.fromEntries(FIELDS.map((name) => [name, user[name]])))
  }

  /** A change to the present value was delivered twice; an avatar may be delivered unchanged. */
  #update({ user_id, new_email, ...fields }: User): void {
    const change: Fields = new_email === undefined ? fields : { email: new_email }
    const known = this.#users.get(user_id)
    const fieldNames = FIELDS.filter((name) => name in change)
    const isChange =
      'avatar_url' in change ||
      fieldNames.length === 0 ||
      fieldNames.some((name) => known?.[name] !== change[name])
    if (!known) this.#problems.push(`user ${user_id} changed without having been there`)
    else if (!isChange) this.#problems.push(`${fieldNames.join()} of user ${user_id} came twice`)
    for (const name of fieldNames) Object.assign(known ?? {}, { [name]: change[name] })
  }
}

const isUnknown = (user: Fields): boolean => user['full_name'] === UNKNOWN_USER_NAME

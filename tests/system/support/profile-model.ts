import type { ClientEvent } from '@tms/test-kit'

type Values = Record<string, { value: string | null; rendered_value?: string }>

/** Profile fields and values, as a careful client stores them. */
export class ProfileModel {
  readonly #problems: string[]
  readonly #values: Map<number, Values>
  #fields: readonly { id: number }[]

  constructor(state: Record<string, unknown>, problems: string[]) {
    this.#problems = problems
    this.#fields = state['custom_profile_fields'] as { id: number }[]
    const users = state['realm_users'] as { user_id: number; profile_data?: Values }[]
    this.#values = new Map(users.map(({ user_id, profile_data }) => [user_id, { ...profile_data }]))
  }

  /** Returns whether the event is about profile fields. */
  apply(kind: string, event: ClientEvent): boolean {
    if (kind === 'custom_profile_fields') {
      this.#fields = event['fields'] as { id: number }[]
      return true
    }
    const { user_id, custom_profile_field: change } = (event['person'] ?? {}) as {
      user_id: number
      custom_profile_field?: Values[string] & { id: number }
    }
    if (kind !== 'realm_user update' || !change) return false
    const { id, ...value } = change
    const values = this.#values.get(user_id) ?? {}
    if ((values[id]?.value ?? null) === value.value)
      this.#problems.push(`field ${id} of ${user_id} came twice`)
    if (value.value === null) delete values[id]
    else values[id] = value
    this.#values.set(user_id, values)
    return true
  }

  comparable(): Record<string, unknown> {
    // A deleted field deletes its values.
    const known = new Set(this.#fields.map(({ id }) => String(id)))
    return {
      profileFields: this.#fields,
      profileValues: [...this.#values]
        .map(([userId, values]) => [userId, Object.entries(values).filter(([id]) => known.has(id))] as const)
        .filter(([, values]) => values.length > 0)
        .sort(([a], [b]) => a - b),
    }
  }
}

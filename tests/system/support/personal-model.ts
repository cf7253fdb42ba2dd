import type { ClientEvent } from '@tms/test-kit'

/** Keys that a register state has beside each other without `user_settings_object`: older names of settings. */
type Settings = Record<string, unknown>

/**
 * What a careful client keeps of its own settings, alert words and muted users, and of everyone's time zone.
 * A setting that changes to what it is already was told twice.
 */
export class PersonalModel {
  readonly #problems: string[]
  readonly #settings: Settings
  /** The older copies that the same state holds beside them. */
  readonly #flat: Settings
  readonly #timeZones: Map<number, unknown>
  #alertWords: unknown
  #mutedUsers: unknown

  constructor(state: Record<string, unknown>, problems: string[]) {
    this.#problems = problems
    this.#settings = { ...(state['user_settings'] as Settings) }
    const isOlderCopy = ([name]: [string, unknown]): boolean => name in this.#settings
    this.#flat = Object.fromEntries(Object.entries(state).filter(isOlderCopy))
    const users = state['realm_users'] as { user_id: number; timezone: string }[]
    this.#timeZones = new Map(users.map(({ user_id, timezone }) => [user_id, timezone]))
    this.#alertWords = state['alert_words']
    this.#mutedUsers = state['muted_users']
  }

  /** Whether the event is about any of this. */
  apply(kind: string, event: ClientEvent): boolean {
    switch (kind) {
      case 'user_settings update':
        this.#set(this.#settings, event['property'], event['value'])
        return true
      case 'update_display_settings':
        this.#set(this.#flat, event['setting_name'], event['setting'])
        return true
      case 'update_global_notifications':
        this.#set(this.#flat, event['notification_name'], event['setting'])
        return true
      case 'realm_user update': {
        const { user_id, timezone } = event['person'] as { user_id: number; timezone?: string }
        if (timezone === undefined) return true
        if (this.#timeZones.get(user_id) === timezone)
          this.#problems.push(`time zone of ${user_id} came twice`)
        this.#timeZones.set(user_id, timezone)
        return true
      }
      case 'alert_words':
        this.#alertWords = event['alert_words']
        return true
      case 'muted_users':
        this.#mutedUsers = event['muted_users']
        return true
      default:
        return false
    }
  }

  comparable(): Record<string, unknown> {
    return {
      settings: this.#settings,
      flat: this.#flat,
      // Who arrived without one has none.
      timeZones: [...this.#timeZones].filter(([, zone]) => zone !== '').sort(([a], [b]) => a - b),
      alertWords: this.#alertWords,
      mutedUsers: this.#mutedUsers,
    }
  }

  #set(settings: Settings, name: unknown, value: unknown): void {
    if (settings[String(name)] === value) this.#problems.push(`${String(name)} came twice`)
    settings[String(name)] = value
  }
}

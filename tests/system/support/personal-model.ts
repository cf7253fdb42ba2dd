import type { ClientEvent } from '@tms/test-kit'

/** Keys that a register state has beside each other without `user_settings_object`: older names of settings. */
type Settings = Record<string, unknown>

/**
 * What a careful client keeps of its own settings, alert words and muted users.
 * A setting that changes to what it is already was told twice.
 */
export class PersonalModel {
  readonly #problems: string[]
  readonly #settings: Settings
  /** The older copies that the same state holds beside them. */
  readonly #flat: Settings
  #alertWords: unknown
  #mutedUsers: unknown

  constructor(state: Record<string, unknown>, problems: string[]) {
    this.#problems = problems
    this.#settings = { ...(state['user_settings'] as Settings) }
    const isOlderCopy = ([name]: [string, unknown]): boolean => name in this.#settings
    this.#flat = Object.fromEntries(Object.entries(state).filter(isOlderCopy))
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
      case 'alert_words':
        this.#alertWords = event['alert_words']
        return true
      case 'muted_users':
        this.#mutedUsers = event['muted_users']
        return true
      // It only says that a list is another, which no state has.
      case 'invites_changed':
        return true
      default:
        return false
    }
  }

  comparable(): Record<string, unknown> {
    return {
      settings: this.#settings,
      flat: this.#flat,
      alertWords: this.#alertWords,
      mutedUsers: this.#mutedUsers,
    }
  }

  #set(settings: Settings, name: unknown, value: unknown): void {
    if (settings[String(name)] === value) this.#problems.push(`${String(name)} came twice`)
    settings[String(name)] = value
  }
}

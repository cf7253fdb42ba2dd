import type { SavedSnippetRecord } from '@tms/contracts'
import type { ClientEvent } from '@tms/test-kit'
import { ProfileModel } from './profile-model.ts'

/** Keys of a register state without `user_settings_object`: older names of settings. */
type Settings = Record<string, unknown>
type Fields = Record<string, unknown>

/** The part of the state about the user's own account, beside its record among all users. */
const OWN_FIELDS = [
  'email',
  'delivery_email',
  'full_name',
  'avatar_source',
  'avatar_url',
  'avatar_url_medium',
] as const

const only = (record: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]))

/** The status of a user without one. */
const NO_STATUS: Settings = {
  away: false,
  status_text: '',
  emoji_name: '',
  emoji_code: '',
  reaction_type: 'unicode_emoji',
}

type Snippet = SavedSnippetRecord

/**
 * The user's own settings, alert words, saved snippets and muted users, the defaults of new accounts, and all statuses, as a careful client
 * stores them. A setting that changes to its present value was delivered twice.
 */
export class PersonalModel {
  readonly #problems: string[]
  readonly #settings: Settings
  /** The older copies of them in the same state. */
  readonly #flat: Settings
  readonly #defaults: Settings
  readonly #userId: unknown
  readonly #own: Fields
  #alertWords: unknown
  #mutedUsers: unknown
  #onboardingSteps: unknown
  readonly #savedSnippets: Map<number, Snippet>
  readonly #statuses: Map<number, Settings>
  readonly #profiles: ProfileModel

  constructor(state: Record<string, unknown>, problems: string[]) {
    this.#problems = problems
    this.#settings = { ...(state['user_settings'] as Settings) }
    const isOlderCopy = ([name]: [string, unknown]): boolean => name in this.#settings
    this.#flat = Object.fromEntries(Object.entries(state).filter(isOlderCopy))
    this.#defaults = { ...(state['realm_user_settings_defaults'] as Settings) }
    this.#userId = state['user_id']
    this.#own = only(state, OWN_FIELDS)
    this.#alertWords = state['alert_words']
    this.#mutedUsers = state['muted_users']
    this.#onboardingSteps = state['onboarding_steps']
    this.#savedSnippets = new Map((state['saved_snippets'] as Snippet[]).map((one) => [one.id, one]))
    this.#profiles = new ProfileModel(state, problems)
    const statuses = state['user_status'] as Record<string, Settings>
    this.#statuses = new Map(Object.entries(statuses).map(([id, status]) => [Number(id), { ...status }]))
  }

  apply(kind: string, event: ClientEvent): boolean {
    if (this.#profiles.apply(kind, event)) return true
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
      case 'realm_user_settings_defaults update':
        this.#set(this.#defaults, event['property'], event['value'])
        return true
      case 'realm_user update':
        this.#updateOwn(event['person'] as { user_id: number } & Fields)
        // The user is one of them.
        return false
      case 'alert_words':
        this.#alertWords = event['alert_words']
        return true
      case 'onboarding_steps':
        this.#onboardingSteps = event['onboarding_steps']
        return true
      case 'saved_snippets add':
      case 'saved_snippets update':
        this.#saveSnippet(kind, event['saved_snippet'] as Snippet)
        return true
      case 'saved_snippets remove':
        if (!this.#savedSnippets.delete(event['saved_snippet_id'] as number))
          this.#problems.push(`saved snippet ${event['saved_snippet_id']} was deleted, but did not exist`)
        return true
      case 'muted_users':
        this.#mutedUsers = event['muted_users']
        return true
      case 'user_status':
        this.#setStatus(event)
        return true
      case 'presence':
        // Not ordered in the log, and read again at each ping.
        return true
      // It only announces that a list changed, which no state contains.
      case 'invites_changed':
        return true
      default:
        return false
    }
  }

  #saveSnippet(kind: string, snippet: Snippet): void {
    if (this.#savedSnippets.has(snippet.id) !== (kind === 'saved_snippets update'))
      this.#problems.push(
        `${kind} of ${snippet.id}, which ${kind.endsWith('add') ? 'existed' : 'did not exist'}`,
      )
    this.#savedSnippets.set(snippet.id, snippet)
  }

  comparable(): Record<string, unknown> {
    return {
      settings: this.#settings,
      flat: this.#flat,
      defaults: this.#defaults,
      own: this.#own,
      alertWords: this.#alertWords,
      mutedUsers: this.#mutedUsers,
      savedSnippets: [...this.#savedSnippets.values()].sort((one, other) => one.id - other.id),
      onboardingSteps: this.#onboardingSteps,
      ...this.#profiles.comparable(),
      statuses: [...this.#statuses]
        .filter(([, status]) => Object.keys(status).length > 0)
        .sort(([a], [b]) => a - b),
    }
  }

  #updateOwn({ user_id, new_email, ...fields }: { user_id: number } & Fields): void {
    const change = new_email === undefined ? fields : { email: new_email }
    if (user_id === this.#userId) Object.assign(this.#own, only(change, OWN_FIELDS))
  }

  #setStatus({ id: _id, type: _type, user_id, ...change }: ClientEvent): void {
    const userId = user_id as number
    const before = this.#statuses.get(userId) ?? {}
    const isChange = ([key, value]: [string, unknown]) => value !== (before[key] ?? NO_STATUS[key])
    if (!Object.entries(change).some(isChange)) this.#problems.push(`a status of ${userId} came twice`)
    const after = Object.entries({ ...before, ...change }).filter(
      ([, value]) => value !== '' && value !== false,
    )
    const status = Object.fromEntries(after)
    if (!('emoji_name' in status)) delete status['reaction_type']
    this.#statuses.set(userId, status)
  }

  #set(settings: Settings, name: unknown, value: unknown): void {
    if (settings[String(name)] === value) this.#problems.push(`${String(name)} came twice`)
    settings[String(name)] = value
  }
}

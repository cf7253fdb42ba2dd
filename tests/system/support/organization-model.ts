import { realmPermissionNames } from '@tms/contracts'
import type { ClientEvent } from '@tms/test-kit'

interface Domain {
  readonly domain: string
  readonly allow_subdomains: boolean
}

/** The organization as a careful client stores it: settings, pictures, linkifiers, emoji, playgrounds and domains. */
export class OrganizationModel {
  readonly #problems: string[]
  /** Numbers, booleans, texts and permissions, by their name without `realm_`. */
  readonly #settings = new Map<string, unknown>()
  readonly #domains: Map<string, boolean>
  #linkifiers: unknown
  #playgrounds: unknown
  #emoji: unknown

  constructor(state: Record<string, unknown>, problems: string[]) {
    this.#problems = problems
    for (const [key, value] of Object.entries(state)) {
      const name = key.slice('realm_'.length)
      const isPermission = (realmPermissionNames as string[]).includes(name)
      if (key.startsWith('realm_') && (value === null || typeof value !== 'object' || isPermission))
        this.#settings.set(name, value)
    }
    this.#linkifiers = state['realm_linkifiers']
    this.#playgrounds = state['realm_playgrounds']
    this.#emoji = state['realm_emoji']
    this.#domains = new Map(
      (state['realm_domains'] as Domain[]).map(({ domain, allow_subdomains }) => [domain, allow_subdomains]),
    )
  }

  /** Returns whether the event is about the organization. */
  apply(kind: string, event: ClientEvent): boolean {
    switch (kind) {
      case 'realm update':
        this.#settings.set(event['property'] as string, event['value'])
        return true
      case 'realm update_dict':
        for (const [name, value] of Object.entries(event['data'] as object)) this.#set(name, value)
        return true
      case 'realm_linkifiers':
        this.#linkifiers = event['realm_linkifiers']
        return true
      case 'realm_playgrounds':
        this.#playgrounds = event['realm_playgrounds']
        return true
      case 'realm_export':
      case 'realm_export_consent':
        // Not part of the state: administrators request the list.
        return true
      case 'realm_emoji update':
        this.#emoji = event['realm_emoji']
        return true
      case 'realm_domains add':
      case 'realm_domains change':
        this.#setDomain(event['realm_domain'] as Domain, kind === 'realm_domains change')
        return true
      case 'realm_domains remove':
        if (!this.#domains.delete(event['domain'] as string))
          this.#problems.push(`domain ${event['domain']} went without having been there`)
        return true
      default:
        return false
    }
  }

  comparable(): Record<string, unknown> {
    const sorted = <V>(map: ReadonlyMap<string, V>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))
    return {
      linkifiers: this.#linkifiers,
      playgrounds: this.#playgrounds,
      emoji: this.#emoji,
      domains: sorted(this.#domains),
      settings: sorted(this.#settings),
    }
  }

  /** Whether passwords work follows from the methods. */
  #set(name: string, value: unknown): void {
    if (name !== 'authentication_methods') {
      this.#settings.set(name, value)
      return
    }
    const methods = value as Record<string, { enabled: boolean }>
    this.#settings.set('email_auth_enabled', methods['Email']?.enabled === true)
    const takesPasswords = ['Email', 'LDAP'].some((method) => methods[method]?.enabled === true)
    this.#settings.set('password_auth_enabled', takesPasswords)
  }

  #setDomain({ domain, allow_subdomains }: Domain, wasThere: boolean): void {
    if (this.#domains.has(domain) !== wasThere)
      this.#problems.push(`domain ${domain} came twice, or changed without having been there`)
    this.#domains.set(domain, allow_subdomains)
  }
}

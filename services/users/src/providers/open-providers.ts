import type { ProviderSettings, SignOnSettings } from '@tms/contracts'
import type { ClientTls } from '@tms/service-kit'
import { readSecret } from '../kernel/sign-on/read-secret.ts'
import type { Provider } from './provider.ts'
import { openOwnKey } from './saml/own-key.ts'
import { writeOwnMetadata } from './saml/own-metadata.ts'
import { isSamlProvider, type SamlProviders } from './saml/saml-providers.ts'
import type { SamlSite } from './saml/saml-site.ts'

interface Opened {
  /** By their settings. */
  readonly providers: ReadonlyMap<ProviderSettings, Provider>
  readonly saml: SamlProviders
}

/** The providers of the installation. Throws if a secret, metadata or a certificate can't be read, or can't be used. */
export async function openProviders(
  signOn: SignOnSettings,
  tls: ClientTls,
  parts: Omit<SamlSite, 'key'>,
): Promise<Opened> {
  const site = { ...parts, key: openOwnKey(signOn) }
  const providers = new Map<ProviderSettings, Provider>()
  for (const [index, settings] of signOn.providers.entries())
    providers.set(settings, await openProvider(settings, (name) => `providers.${index}.${name}`, tls, site))
  return { providers, saml: await openSaml([...providers.values()], site) }
}

async function openProvider(
  settings: ProviderSettings,
  key: (name: string) => string,
  tls: ClientTls,
  site: SamlSite,
): Promise<Provider> {
  // Few installations have one of each kind, and what it needs takes memory.
  if (settings.kind !== 'saml') return openOAuthProvider(settings, key, tls)
  return (await import('./saml/saml-provider.ts')).createSamlProvider(settings, key, site)
}

/** A provider of OpenID Connect or OAuth. `key` is that of a setting in `SIGN_ON`. */
export async function openOAuthProvider(
  settings: Exclude<ProviderSettings, { kind: 'saml' }>,
  key: (name: string) => string,
  tls: ClientTls,
): Promise<Provider> {
  const secret =
    settings.kind === 'apple'
      ? readSecret(settings.private_key, key('private_key'))
      : readSecret(settings.client_secret, key('client_secret'))
  const ca = settings.ca === undefined ? null : readSecret(settings.ca, key('ca'))
  return settings.kind === 'github'
    ? (await import('./github-provider.ts')).createGitHubProvider({ settings, secret, ca }, tls)
    : (await import('./openid-provider.ts')).createOpenIdProvider({ settings, secret, ca }, tls)
}

async function openSaml(providers: readonly Provider[], site: SamlSite): Promise<SamlProviders> {
  const all = providers.filter(isSamlProvider)
  const names = all.map(({ entityId }) => entityId)
  const shared = names.find((name, index) => names.indexOf(name) < index)
  if (shared !== undefined)
    throw new Error(`SIGN_ON: two providers have the entity ID ${shared}, and answers name nothing else`)
  const metadata = writeOwnMetadata(site)
  if (all.length === 0) return { metadata, messages: null }
  const { findIssuer, findRedirectIssuer, isLogOutAnswer } = await import('./saml/saml-provider.ts')
  const find = (issuer: string | null) => all.find(({ entityId }) => entityId === issuer) ?? null
  return {
    metadata,
    messages: {
      findByForm: (text) => find(findIssuer(text)),
      findByQuery: (query) => find(findRedirectIssuer(query)),
      isLogOutAnswer,
    },
  }
}

import type { ProviderSettings, SignOnSettings } from '@tms/contracts'
import type { ClientTls } from '@tms/service-kit'
import { readSecret } from '../kernel/sign-on/read-secret.ts'
import { createGitHubProvider } from './github-provider.ts'
import { createOpenIdProvider } from './openid-provider.ts'
import type { Provider } from './provider.ts'

/** The providers of the installation, by their settings. Throws if a secret can't be read, or is empty. */
export function openProviders(
  { providers }: Pick<SignOnSettings, 'providers'>,
  tls: ClientTls,
): ReadonlyMap<ProviderSettings, Provider> {
  return new Map(providers.map((settings, index) => [settings, openProvider(settings, index, tls)]))
}

function openProvider(settings: ProviderSettings, index: number, tls: ClientTls): Provider {
  const key = (name: string) => `providers.${index}.${name}`
  const secret =
    settings.kind === 'apple'
      ? readSecret(settings.private_key, key('private_key'))
      : readSecret(settings.client_secret, key('client_secret'))
  const ca = settings.ca === undefined ? null : readSecret(settings.ca, key('ca'))
  return settings.kind === 'github'
    ? createGitHubProvider({ settings, secret, ca }, tls)
    : createOpenIdProvider({ settings, secret, ca }, tls)
}

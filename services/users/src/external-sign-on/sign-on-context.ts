import type { ProviderSettings } from '@tms/contracts'
import type { Context } from '../kernel/context.ts'
import type { Provider } from '../providers/provider.ts'
import type { SamlProviders } from '../providers/saml/saml-providers.ts'
import type { LogOutIndex } from './log-out-index.ts'
import type { OneTimeStore } from './one-time-store.ts'
import type { TokenIssuer } from './token-issuer.ts'

export interface SignOnContext extends Context {
  /** URL of the installation: scheme and external host. Providers send people back there. */
  readonly externalUrl: string
  readonly externalHost: string
  /** By their settings. */
  readonly providers: ReadonlyMap<ProviderSettings, Provider>
  readonly saml: SamlProviders
  readonly oneTime: OneTimeStore
  readonly logOuts: LogOutIndex
  /** By the subdomains of organizations that take tokens. */
  readonly tokenIssuers: ReadonlyMap<string, TokenIssuer>
}

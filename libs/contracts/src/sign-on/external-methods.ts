import { enabledMethods } from './authentication-methods.ts'
import { findProviders, idOf, pathOf, providerKinds } from './provider-settings.ts'
import { findRemoteUser, REMOTE_USER_ID, type RemoteUserSettings } from './remote-user.ts'
import type { SignOnSettings } from './sign-on-settings.ts'

/** A method of signing in elsewhere, as log-in pages show it. URLs are paths at the organization's host. */
export interface ExternalMethod {
  readonly name: string
  readonly display_name: string
  /** An absolute URL. */
  readonly display_icon: string | null
  readonly login_url: string
  readonly signup_url: string
}

/**
 * The external methods of an organization that it has on, in the order of log-in pages. With a subdomain of null those
 * that the installation offers anybody.
 */
export function externalMethodsOf(
  settings: SignOnSettings,
  subdomain: string | null,
  disabled: readonly string[] = [],
): ExternalMethod[] {
  const offered = findProviders(settings.providers, subdomain).filter(
    ({ kind }) => enabledMethods([providerKinds[kind].method], disabled).length > 0,
  )
  const proxy = findRemoteUser(settings, subdomain)
  const hasProxy = proxy !== null && enabledMethods(['RemoteUser'], disabled).length > 0
  const kinds = Object.keys(providerKinds)
  const order = (one: (typeof offered)[number]) => kinds.indexOf(one.kind)
  const sites = offered
    .toSorted((one, other) => order(one) - order(other))
    .map((one) => ({
      name: idOf(one),
      display_name: one.display_name ?? providerKinds[one.kind].displayName,
      display_icon: one.display_icon ?? null,
      login_url: `/accounts/login/social/${pathOf(one)}`,
      signup_url: `/accounts/register/social/${pathOf(one)}`,
    }))
  return hasProxy ? [methodOfProxy(proxy), ...sites] : sites
}

const PROXY_PATH = '/accounts/login/start/sso/'

const methodOfProxy = ({ display_name }: RemoteUserSettings): ExternalMethod => ({
  ...{ name: REMOTE_USER_ID, display_name, display_icon: null },
  ...{ login_url: PROXY_PATH, signup_url: PROXY_PATH },
})

const withoutPort = (host: string): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')

/**
 * The subdomain of `externalHost` that a request's host names. Empty for the external host itself, and for a host
 * outside it: an address or an internal name that reaches the default organization.
 */
export function subdomainOf(host: string, externalHost: string): string {
  const domain = `.${withoutPort(externalHost)}`
  const name = withoutPort(host)
  return name.endsWith(domain) ? name.slice(0, -domain.length) : ''
}

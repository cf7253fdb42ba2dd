import { createRequire } from 'node:module'
import type { EmailDomain, RealmProjection } from '@tms/contracts'
import { isEmail } from './email-address.rules.ts'

type Library = typeof import('disposable-email-domains-js')

let disposableDomains: ReadonlySet<string> | null = null

/**
 * Cached: the library rebuilds the set at each lookup, which takes milliseconds, and an invitation checks up to a
 * thousand addresses.
 */
function listDisposableDomains(): ReadonlySet<string> {
  const require = createRequire(import.meta.url)
  disposableDomains ??= (require('disposable-email-domains-js') as Library).disposableEmailBlocklistSet()
  return disposableDomains
}

/** The organization's settings about addresses. */
export type AddressPolicy = Pick<
  RealmProjection,
  'emails_restricted_to_domains' | 'disallow_disposable_email_addresses'
> & { readonly email_domains: readonly EmailDomain[] }

/**
 * Why the organization doesn't accept the address, as a text for the user; null if it does. Domains that the
 * organization lists are trusted, so disposable ones are refused only without a list; there a `+` is refused, since
 * it gives one person many addresses.
 */
export function findPolicyFault(address: string, policy: AddressPolicy): string | null {
  if (!isEmail(address)) return 'The e-mail address is not valid'
  const [local = '', domain = ''] = address.toLowerCase().split('@')
  if (policy.emails_restricted_to_domains) {
    if (local.includes('+')) return 'This organization takes no e-mail addresses with a +'
    return policy.email_domains.some((allowed) => isWithin(domain, allowed))
      ? null
      : 'E-mail addresses of other domains are not allowed in this organization'
  }
  if (policy.disallow_disposable_email_addresses && isDisposable(domain))
    return 'This organization takes no disposable e-mail addresses'
  return null
}

function isWithin(domain: string, { domain: allowed, allow_subdomains }: EmailDomain): boolean {
  return domain === allowed || (allow_subdomains && domain.endsWith(`.${allowed}`))
}

/** Providers also hand out addresses in subdomains. */
function isDisposable(domain: string): boolean {
  const labels = domain.split('.')
  return labels.some((_, index) => listDisposableDomains().has(labels.slice(index).join('.')))
}

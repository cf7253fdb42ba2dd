import { createRequire } from 'node:module'
import type { EmailDomain, RealmProjection } from '@tms/contracts'
import { isEmail } from './email-address.rules.ts'

type Library = typeof import('disposable-email-domains-js')

let disposableDomains: ReadonlySet<string> | null = null

/** Made once: the library's own question builds it each time, which takes milliseconds and a list asks a thousand times. */
function listDisposableDomains(): ReadonlySet<string> {
  const require = createRequire(import.meta.url)
  disposableDomains ??= (require('disposable-email-domains-js') as Library).disposableEmailBlocklistSet()
  return disposableDomains
}

/** What an organization says about addresses. */
export type AddressPolicy = Pick<
  RealmProjection,
  'emails_restricted_to_domains' | 'disallow_disposable_email_addresses'
> & { readonly email_domains: readonly EmailDomain[] }

/**
 * What is wrong with an address that an account is to have, for people; null if nothing is. Whoever names the domains that it
 * takes has chosen them, so disposable ones are looked for only elsewhere; a `+` would give one person many accounts.
 */
export function addressFault(address: string, policy: AddressPolicy): string | null {
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

/** Providers give out addresses of subdomains too. */
function isDisposable(domain: string): boolean {
  const labels = domain.split('.')
  return labels.some((_, index) => listDisposableDomains().has(labels.slice(index).join('.')))
}

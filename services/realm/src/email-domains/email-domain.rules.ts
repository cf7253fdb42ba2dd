import { badRequest } from '@tms/contracts'

/** Limit of DNS. */
const MAX_LENGTH = 253
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/** Every joining address is compared with all of them. */
const MAX_DOMAINS = 500

/** Validates a domain of e-mail addresses and returns it as it is stored. Throws BAD_REQUEST with the reason. */
export function checkEmailDomain(requested: string): string {
  const domain = foldDomain(requested)
  if (domain === '') throw badRequest('The domain is empty')
  const labels = domain.split('.')
  if (labels.length < 2) throw badRequest('A domain has at least one dot, as in example.com')
  if (domain.length > MAX_LENGTH || !labels.every((label) => LABEL.test(label)))
    throw badRequest(
      'The parts of a domain are letters, digits and hyphens, with no hyphen at either end and one dot between them',
    )
  return domain
}

/** The form in which domains are compared. */
export function foldDomain(requested: string): string {
  return requested.trim().toLowerCase()
}

/** Throws BAD_REQUEST for a domain that the organization has already, or for one too many. */
export function checkDomainIsNew(domain: string, existing: readonly { readonly domain: string }[]): void {
  if (existing.some((other) => other.domain === domain))
    throw badRequest(`The domain ${domain} is in the list already`)
  if (existing.length >= MAX_DOMAINS) throw badRequest(`An organization has at most ${MAX_DOMAINS} domains`)
}

/** The domain of this name, ignoring case. Throws BAD_REQUEST. */
export function getEmailDomain<D extends { readonly domain: string }>(
  existing: readonly D[],
  name: string,
): D {
  const found = existing.find(({ domain }) => domain === foldDomain(name))
  if (!found) throw badRequest('There is no such domain in the list')
  return found
}

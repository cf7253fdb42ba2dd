import { badRequest } from '@tms/contracts'

/** What the name system has room for. */
const MAX_LENGTH = 253
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/** Every address that joins is compared with all of them. */
const MAX_DOMAINS = 500

/** A domain of addresses, as it is kept. Throws BAD_REQUEST with what is wrong. */
export function checkEmailDomain(asked: string): string {
  const domain = foldDomain(asked)
  if (domain === '') throw badRequest('The domain is empty')
  const labels = domain.split('.')
  if (labels.length < 2) throw badRequest('A domain has at least one dot, as in example.com')
  if (domain.length > MAX_LENGTH || !labels.every((label) => LABEL.test(label)))
    throw badRequest(
      'The parts of a domain are letters, digits and hyphens, with no hyphen at either end and one dot between them',
    )
  return domain
}

/** How a domain is looked for. */
export function foldDomain(asked: string): string {
  return asked.trim().toLowerCase()
}

/** Throws BAD_REQUEST for a domain that the organization has, or one too many. */
export function checkDomainIsNew(domain: string, present: readonly { readonly domain: string }[]): void {
  if (present.some((other) => other.domain === domain))
    throw badRequest(`The domain ${domain} is in the list already`)
  if (present.length >= MAX_DOMAINS) throw badRequest(`An organization has at most ${MAX_DOMAINS} domains`)
}

/** The domain of a name, whatever its letters' case. Throws BAD_REQUEST. */
export function getEmailDomain<D extends { readonly domain: string }>(
  present: readonly D[],
  name: string,
): D {
  const found = present.find(({ domain }) => domain === foldDomain(name))
  if (!found) throw badRequest('There is no such domain in the list')
  return found
}

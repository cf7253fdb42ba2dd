import type { EmailDomain as EmailDomainRecord } from '@tms/contracts'
import type { EmailDomain } from '../../generated/prisma/client.ts'

/** A domain of e-mail addresses as clients receive it. */
export function showEmailDomain({ domain, allowsSubdomains }: EmailDomain): EmailDomainRecord {
  return { domain, allow_subdomains: allowsSubdomains }
}

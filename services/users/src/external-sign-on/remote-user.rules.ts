import type { RemoteUserSettings } from '@tms/contracts'
import { isEmail } from '../kernel/addresses/email-address.rules.ts'

/** The address of the user that a proxy names; null if the name can't be one. */
export function addressOfRemoteUser(
  name: string,
  { append_domain: domain }: Pick<RemoteUserSettings, 'append_domain'>,
): string | null {
  const at = name.lastIndexOf('@')
  // A user name at the proxy, which users may choose there, must not stand for an address of another domain.
  if (domain !== undefined && at >= 0 && name.slice(at + 1).toLowerCase() !== domain) return null
  const address = domain !== undefined && at < 0 ? `${name}@${domain}` : name
  return isEmail(address) ? address : null
}

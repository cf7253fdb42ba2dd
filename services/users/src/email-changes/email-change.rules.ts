import { badRequest, type RealmProjection, Role } from '@tms/contracts'
import { type AddressPolicy, findPolicyFault } from '../kernel/addresses/new-address.rules.ts'

/**
 * The requested address as it is stored; null if the user already has it. Doesn't check whether it is taken. Throws
 * BAD_REQUEST.
 */
export function decideNewEmail(
  own: { readonly role: number; readonly deliveryEmail: string },
  requested: string,
  realm: Pick<RealmProjection, 'email_changes_disabled'> & AddressPolicy,
): string | null {
  if (requested.trim() === own.deliveryEmail) return null
  if (realm.email_changes_disabled && own.role > Role.administrator)
    throw badRequest('Only administrators change e-mail addresses in this organization')
  const address = requested.trim()
  const fault = findPolicyFault(address, realm)
  if (fault !== null) throw badRequest(fault)
  return address
}

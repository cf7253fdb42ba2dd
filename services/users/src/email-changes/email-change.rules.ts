import { badRequest, type RealmProjection, Role } from '@tms/contracts'
import { type AddressPolicy, addressFault } from '../accounts/new-address.rules.ts'

/**
 * The address that a person asks for, as it will be stored; null if it is theirs already. Whether someone has it is
 * another question. Throws BAD_REQUEST.
 */
export function decideNewEmail(
  own: { readonly role: number; readonly deliveryEmail: string },
  asked: string,
  realm: Pick<RealmProjection, 'email_changes_disabled'> & AddressPolicy,
): string | null {
  if (asked.trim() === own.deliveryEmail) return null
  if (realm.email_changes_disabled && own.role > Role.administrator)
    throw badRequest('Only administrators change e-mail addresses in this organization')
  const address = asked.trim()
  const fault = addressFault(address, realm)
  if (fault !== null) throw badRequest(fault)
  return address
}

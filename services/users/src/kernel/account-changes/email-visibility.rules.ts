import { canSeeDeliveryEmail } from '@tms/contracts'
import type { OwnedAddress } from '../addresses/email-visibility.queries.ts'

/** Addresses whose visibility to the viewer changes with the role; null for those that become hidden. */
export function addressChangesOf(
  viewer: { readonly id: number; readonly roleBefore: number; readonly role: number },
  addresses: readonly OwnedAddress[],
): { user_id: number; delivery_email: string | null }[] {
  return addresses.flatMap((address) => {
    const canSeeAs = (role: number) => canSeeDeliveryEmail({ userId: viewer.id, role }, address)
    const isVisible = canSeeAs(viewer.role)
    if (isVisible === canSeeAs(viewer.roleBefore)) return []
    return [{ user_id: address.id, delivery_email: isVisible ? address.deliveryEmail : null }]
  })
}

import { canSeeDeliveryEmail } from '@tms/contracts'
import type { OwnedAddress } from './email-visibility.queries.ts'

/** Of these addresses those that someone's new role sees and the old one didn't, and the other way round, as null. */
export function addressChangesOf(
  viewer: { readonly id: number; readonly roleBefore: number; readonly role: number },
  addresses: readonly OwnedAddress[],
): { user_id: number; delivery_email: string | null }[] {
  return addresses.flatMap((address) => {
    const seenBy = (role: number) => canSeeDeliveryEmail({ userId: viewer.id, role }, address)
    const isSeen = seenBy(viewer.role)
    if (isSeen === seenBy(viewer.roleBefore)) return []
    return [{ user_id: address.id, delivery_email: isSeen ? address.deliveryEmail : null }]
  })
}

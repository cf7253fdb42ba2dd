import { Role } from '../permissions/role.ts'
import { EmailVisibility } from './settings.ts'

/** The weakest role that can see an address of each visibility. */
const sufficientRole: Readonly<Record<number, number>> = {
  [EmailVisibility.everyone]: Role.guest,
  [EmailVisibility.members]: Role.member,
  [EmailVisibility.moderators]: Role.moderator,
  [EmailVisibility.administrators]: Role.administrator,
}

/** Whether a viewer can see the owner's delivery e-mail. One's own is always visible. */
export function canSeeDeliveryEmail(
  viewer: { readonly userId: number; readonly role: number },
  owner: { readonly id: number; readonly emailAddressVisibility: number },
): boolean {
  return viewer.userId === owner.id || viewer.role <= (sufficientRole[owner.emailAddressVisibility] ?? 0)
}

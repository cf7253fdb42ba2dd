import { EmailVisibility, Role } from '@tms/contracts'

/** The weakest role that sees an address of each visibility. */
const sufficientRole: Readonly<Record<number, number>> = {
  [EmailVisibility.everyone]: Role.guest,
  [EmailVisibility.members]: Role.member,
  [EmailVisibility.moderators]: Role.moderator,
  [EmailVisibility.administrators]: Role.administrator,
}

/** Whether the viewer may see the person's delivery e-mail. One's own is always visible. */
export function canSeeDeliveryEmail(
  viewer: { userId: number; role: number },
  person: { id: number; emailAddressVisibility: number },
): boolean {
  return viewer.userId === person.id || viewer.role <= (sufficientRole[person.emailAddressVisibility] ?? 0)
}

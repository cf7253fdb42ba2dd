import type { PersonChange } from '@tms/contracts'
import type { Person } from './account.queries.ts'
import { avatarUrlOf } from './avatar.ts'

/** What others are told of a change of an account, in the order in which it is told. Profile values are none of its columns. */
export function personChangesOf(before: Person, after: Person): PersonChange[] {
  const changes: PersonChange[] = []
  if (after.fullName !== before.fullName) changes.push({ kind: 'full_name', full_name: after.fullName })
  if (after.role !== before.role) changes.push({ kind: 'role', role: after.role, previous_role: before.role })
  if (after.isActive !== before.isActive) changes.push({ kind: 'is_active', is_active: after.isActive })
  if (after.botOwnerId !== before.botOwnerId)
    changes.push({ kind: 'bot_owner_id', bot_owner_id: after.botOwnerId })
  changes.push(...addressChangesOf(before, after))
  return changes
}

/**
 * Who hides an address, or shows it to everyone, gets another API e-mail, and clients can't or can make an avatar of it: both are
 * told in this order. For an address that is replaced the order is the other way round.
 */
function addressChangesOf(before: Person, after: Person): PersonChange[] {
  const [had, has] = [addressOf(before), addressOf(after)]
  const isOtherAddress = has.delivery_email !== had.delivery_email
  const isOtherVisibility = has.visibility !== had.visibility
  const changes: PersonChange[] = []
  if (isOtherAddress || isOtherVisibility) changes.push({ kind: 'delivery_email', before: had, after: has })
  const apiEmail: PersonChange[] =
    after.email === before.email ? [] : [{ kind: 'new_email', new_email: after.email }]
  const isOtherAvatar =
    after.avatarSource !== before.avatarSource ||
    avatarUrlOf(after) !== avatarUrlOf(before) ||
    (isOtherVisibility && apiEmail.length > 0)
  const avatar = isOtherAvatar ? [avatarChangeTo(after)] : []
  return isOtherVisibility ? [...changes, ...apiEmail, ...avatar] : [...changes, ...avatar, ...apiEmail]
}

function avatarChangeTo(person: Person): PersonChange {
  return {
    kind: 'avatar',
    avatar_source: person.avatarSource,
    avatar_url: avatarUrlOf(person),
    avatar_url_medium: avatarUrlOf(person, 'medium'),
    avatar_version: person.avatarVersion,
  }
}

const addressOf = ({ deliveryEmail, emailAddressVisibility }: Person) => ({
  delivery_email: deliveryEmail,
  visibility: emailAddressVisibility,
})

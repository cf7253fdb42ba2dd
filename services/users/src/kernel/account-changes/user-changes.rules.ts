import type { UserChange } from '@tms/contracts'
import type { Account } from '../accounts/account.queries.ts'
import { avatarUrlOf } from '../accounts/avatar.ts'

/**
 * Changes of an account that other users see, in the order in which clients expect them. Profile values are handled
 * separately.
 */
export function userChangesOf(before: Account, after: Account): UserChange[] {
  const changes: UserChange[] = []
  if (after.fullName !== before.fullName) changes.push({ kind: 'full_name', full_name: after.fullName })
  if (after.role !== before.role) changes.push({ kind: 'role', role: after.role, previous_role: before.role })
  if (after.isActive !== before.isActive) changes.push({ kind: 'is_active', is_active: after.isActive })
  if (after.botOwnerId !== before.botOwnerId)
    changes.push({ kind: 'bot_owner_id', bot_owner_id: after.botOwnerId })
  changes.push(...addressChangesOf(before, after))
  return changes
}

/**
 * A change of visibility that replaces the API e-mail also changes whether clients can compute the avatar: first the
 * e-mail, then the avatar. For a new address the order is reversed.
 */
function addressChangesOf(before: Account, after: Account): UserChange[] {
  const [had, has] = [addressOf(before), addressOf(after)]
  const isOtherAddress = has.delivery_email !== had.delivery_email
  const isOtherVisibility = has.visibility !== had.visibility
  const changes: UserChange[] = []
  if (isOtherAddress || isOtherVisibility) changes.push({ kind: 'delivery_email', before: had, after: has })
  const apiEmail: UserChange[] =
    after.email === before.email ? [] : [{ kind: 'new_email', new_email: after.email }]
  const isOtherAvatar =
    after.avatarSource !== before.avatarSource ||
    avatarUrlOf(after) !== avatarUrlOf(before) ||
    (isOtherVisibility && apiEmail.length > 0)
  const avatar = isOtherAvatar ? [avatarChangeTo(after)] : []
  return isOtherVisibility ? [...changes, ...apiEmail, ...avatar] : [...changes, ...avatar, ...apiEmail]
}

function avatarChangeTo(account: Account): UserChange {
  return {
    kind: 'avatar',
    avatar_source: account.avatarSource,
    avatar_url: avatarUrlOf(account),
    avatar_url_medium: avatarUrlOf(account, 'medium'),
    avatar_version: account.avatarVersion,
  }
}

const addressOf = ({ deliveryEmail, emailAddressVisibility }: Account) => ({
  delivery_email: deliveryEmail,
  visibility: emailAddressVisibility,
})

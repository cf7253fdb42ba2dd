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
  const [had, has] = [addressOf(before), addressOf(after)]
  if (has.delivery_email !== had.delivery_email || has.visibility !== had.visibility)
    changes.push({ kind: 'delivery_email', before: had, after: has })
  if (after.email !== before.email) changes.push({ kind: 'new_email', new_email: after.email })
  if (after.avatarSource !== before.avatarSource || avatarUrlOf(after) !== avatarUrlOf(before))
    changes.push({
      kind: 'avatar',
      avatar_source: after.avatarSource,
      avatar_url: avatarUrlOf(after),
      avatar_url_medium: avatarUrlOf(after, 'medium'),
      avatar_version: after.avatarVersion,
    })
  return changes
}

const addressOf = ({ deliveryEmail, emailAddressVisibility }: Person) => ({
  delivery_email: deliveryEmail,
  visibility: emailAddressVisibility,
})

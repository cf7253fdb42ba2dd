import type { domainEvents, PayloadOf } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { findKnownRealm, findSystemBot, listKnownUsers } from '../directory/projection.queries.ts'
import { speakOf, storeDirectNotice } from '../messages/notices.ts'
import { tellAdded, tellRemoved } from './membership-notice.rules.ts'

/** More people than this are not told one by one: whoever adds so many tells them. */
const MAX_TOLD = 100

/**
 * Tells people whom someone else added to a group or removed from it, by a direct message of the organization's own
 * actor. Bots and deactivated people are not told.
 */
export async function notifyMembers(
  tx: Tx,
  {
    added_user_ids,
    removed_user_ids,
    actor_id,
    projection,
  }: PayloadOf<typeof domainEvents.users.userGroupMembersChanged>,
  requestId: string | null,
): Promise<void> {
  const affected = [...added_user_ids, ...removed_user_ids].filter((id) => id !== actor_id)
  if (affected.length === 0 || affected.length > MAX_TOLD) return
  const [sender, realm, users] = [
    await findSystemBot(tx, projection.realm_id),
    await findKnownRealm(tx, projection.realm_id),
    new Map((await listKnownUsers(tx, [...affected, actor_id])).map((user) => [user.user_id, user])),
  ]
  const actor = users.get(actor_id)
  // All three were told before this event; without them the broker lost news, and this notice with it.
  if (!sender || !realm || !actor) return

  const speaker = { sender, realm, sentAt: new Date() }
  const known = {
    users: [{ userId: actor_id, fullName: actor.full_name, isActive: true }],
    groups: [{ groupId: projection.group_id, name: projection.name }],
  }
  const added = new Set(added_user_ids)
  // In the order of their IDs, in which everyone locks conversations.
  for (const userId of affected.sort((a, b) => a - b)) {
    const user = users.get(userId)
    if (!user?.is_active || user.is_bot) continue
    const text = added.has(userId) ? tellAdded(actor, projection.name) : tellRemoved(actor, projection.name)
    await storeDirectNotice(tx, speakOf(speaker, text, known), { user, requestId })
  }
}

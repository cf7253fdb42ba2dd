import type { domainEvents, PayloadOf } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { findKnownRealm, findSystemBot, listKnownUsers } from '../kernel/projections/known-user.queries.ts'
import { renderNotice, storeDirectNotice } from '../messages/notices.ts'
import { writeAddedNotice, writeRemovedNotice } from './membership-notice.rules.ts'

/** Larger changes send no notices: an administrator who adds so many users informs them by other means. */
const MAX_NOTIFIED = 100

/**
 * Sends a notice to users that someone else added to a group or removed from it, by direct message of the system bot.
 * Bots and deactivated users get none.
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
  if (actor_id === null) return
  const affected = [...added_user_ids, ...removed_user_ids].filter((id) => id !== actor_id)
  if (affected.length === 0 || affected.length > MAX_NOTIFIED) return
  const [sender, realm, users] = [
    await findSystemBot(tx, projection.realm_id),
    await findKnownRealm(tx, projection.realm_id),
    new Map((await listKnownUsers(tx, [...affected, actor_id])).map((user) => [user.user_id, user])),
  ]
  const actor = users.get(actor_id)
  // All three are published before this event; if one is missing, the broker lost it, and the notice is dropped.
  if (!sender || !realm || !actor) return

  const author = { sender, realm, sentAt: new Date() }
  const known = {
    users: [{ userId: actor_id, fullName: actor.full_name, isActive: true }],
    groups: [{ groupId: projection.group_id, name: projection.name }],
  }
  const added = new Set(added_user_ids)
  // In the order of their IDs, in which every transaction locks conversations.
  for (const userId of affected.sort((a, b) => a - b)) {
    const user = users.get(userId)
    if (!user?.is_active || user.is_bot) continue
    const text = added.has(userId)
      ? writeAddedNotice(actor, projection.name)
      : writeRemovedNotice(actor, projection.name)
    await storeDirectNotice(tx, renderNotice(author, text, known), { user, requestId })
  }
}

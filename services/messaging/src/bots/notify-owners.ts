import type { Tx } from '@tms/service-kit'
import { findKnownRealm, findSystemBot, listKnownUsers } from '../kernel/projections/known-user.queries.ts'
import { isOutgoingWebhook } from '../kernel/webhooks/find-webhooks.ts'
import { renderNotice, storeDirectNotice } from '../messages/notices.ts'
import type { OwnerChange } from './former-owner.queries.ts'
import { writeFormerOwnerNotice, writeNewOwnerNotice } from './owner-notice.rules.ts'

/**
 * Sends a notice to both owners of a bot that the owner changed, and what happened to its key; not to deactivated
 * users.
 */
export async function notifyOwners(
  tx: Tx,
  { botId, realmId, ownerId, formerOwnerId }: OwnerChange,
  requestId: string | null,
): Promise<void> {
  const ids = [botId, ownerId, formerOwnerId]
  const users = new Map((await listKnownUsers(tx, ids)).map((user) => [user.user_id, user]))
  const [bot, owner, former] = ids.map((id) => users.get(id))
  const [sender, realm] = [await findSystemBot(tx, realmId), await findKnownRealm(tx, realmId)]
  // All of them are known before a bot changes its owner, unless the broker lost an event.
  if (!bot || !owner || !former || !sender || !realm) return

  const author = { sender, realm, sentAt: new Date() }
  const known = {
    users: [bot, owner, former].map(({ user_id, full_name, is_active }) => ({
      userId: user_id,
      fullName: full_name,
      isActive: is_active,
    })),
  }
  const notices = [
    { user: owner, text: writeNewOwnerNotice({ ...bot, isOutgoingWebhook: isOutgoingWebhook(bot) }, former) },
    { user: former, text: writeFormerOwnerNotice(bot, owner, former) },
  ]
  // In the order of their IDs, in which every transaction locks conversations.
  for (const { user, text } of notices.sort((a, b) => a.user.user_id - b.user.user_id)) {
    if (user.is_active) await storeDirectNotice(tx, renderNotice(author, text, known), { user, requestId })
  }
}

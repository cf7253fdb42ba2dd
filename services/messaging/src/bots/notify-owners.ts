import type { Tx } from '@tms/service-kit'
import { findKnownRealm, findSystemBot, listKnownUsers } from '../directory/projection.queries.ts'
import { speakOf, storeDirectNotice } from '../messages/notices.ts'
import { isCalled } from '../webhooks/find-called.ts'
import type { OwnerChange } from './former-owner.queries.ts'
import { describeToFormerOwner, describeToNewOwner } from './owner-notice.rules.ts'

/** Notifies both owners of a bot that it changed hands, and what became of its key; nobody who is deactivated. */
export async function notifyOwners(
  tx: Tx,
  { botId, realmId, ownerId, formerOwnerId }: OwnerChange,
  requestId: string | null,
): Promise<void> {
  const ids = [botId, ownerId, formerOwnerId]
  const users = new Map((await listKnownUsers(tx, ids)).map((user) => [user.user_id, user]))
  const [bot, owner, former] = ids.map((id) => users.get(id))
  const [sender, realm] = [await findSystemBot(tx, realmId), await findKnownRealm(tx, realmId)]
  // All of them are known before a bot changes hands, unless the broker lost news.
  if (!bot || !owner || !former || !sender || !realm) return

  const speaker = { sender, realm, sentAt: new Date() }
  const known = {
    users: [bot, owner, former].map(({ user_id, full_name, is_active }) => ({
      userId: user_id,
      fullName: full_name,
      isActive: is_active,
    })),
  }
  const notices = [
    { user: owner, text: describeToNewOwner({ ...bot, isOutgoingWebhook: isCalled(bot) }, former) },
    { user: former, text: describeToFormerOwner(bot, owner, former) },
  ]
  // In the order of their IDs, in which everyone locks conversations.
  for (const { user, text } of notices.sort((a, b) => a.user.user_id - b.user.user_id)) {
    if (user.is_active) await storeDirectNotice(tx, speakOf(speaker, text, known), { user, requestId })
  }
}

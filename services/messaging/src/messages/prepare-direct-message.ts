import { badRequest } from '@tms/contracts'
import { checkMayWriteDirectly } from '../kernel/access/channel-limit.rules.ts'
import type { Context } from '../kernel/context.ts'
import { findVisibleByEmails, findVisibleByIds } from '../kernel/guest-visibility/visible-users.ts'
import { findConversation } from '../kernel/messages/conversation.queries.ts'
import { parseUserReferences, type UserReferences } from '../kernel/messages/message-target.rules.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { normalizeContent } from '../kernel/text/content.rules.ts'
import { isOutgoingWebhook } from '../kernel/webhooks/find-webhooks.ts'
import { findWidget } from '../submessages/widget.rules.ts'
import type { CheckedMessage } from './checked-message.ts'
import { checkMayStartConversation, checkMayWrite } from './direct-message-permission.ts'
import { ensureConversation } from './ensure-conversation.ts'
import { renderContent } from './render-content.ts'
import { resolveMentions } from './resolve-mentions.ts'
import type { MessageRequest } from './send-request.ts'
import { checkRecipients, isReadBySender } from './sending.rules.ts'

/**
 * Prepares a direct message, with every check of it, and creates its conversation if there is none. Clients rely on
 * the order of the checks.
 */
export async function prepareDirectMessage(
  context: Context,
  { input, sender: caller, client, echo }: MessageRequest,
): Promise<CheckedMessage> {
  checkMayWriteDirectly(caller)
  const { db, projections } = context
  const references = parseUserReferences(input.to)
  const [recipients, realm, sender, muterIds] = await Promise.all([
    findRecipients(context, caller, references),
    projections.getRealm(caller.realmId),
    projections.getUser(caller.userId),
    projections.listMuters(caller.realmId, caller.userId),
  ])
  const content = normalizeContent(input.content)
  const widget = findWidget(content, input.widget_content)
  const directMessage = { realm, sender, recipients }
  await checkMayWrite(context, directMessage)
  checkRecipients(sender, recipients)

  const rendered = await renderContent(context, caller, content)
  const users = new Map([...recipients, sender].map((user) => [user.user_id, user]))
  const userIds = [...users.keys()].sort((a, b) => a - b)
  const existing = await findConversation(db, caller.realmId, userIds)
  if (existing === null || existing.isUnused) await checkMayStartConversation(context, directMessage)
  const { recipientId, isUnused } = existing ?? (await ensureConversation(db, caller.realmId, userIds))
  const concerned = await resolveMentions(context, {
    author: sender,
    realm,
    target: { recipientId, channelId: null, topic: '' },
    content,
    rendered,
  })
  const isRead = isReadBySender(input.read_by_sender, client)
  const memberMuterIds = muterIds.filter((userId) => users.has(userId))
  const webhooks = sender.is_bot ? [] : recipients.filter(isOutgoingWebhook)
  return {
    sender,
    realm,
    target: { recipientId, users: [...users.values()], userIds, isUnused },
    content,
    rendered,
    client,
    echo,
    isSenderOutside: false,
    readerIds: isRead ? [caller.userId, ...memberMuterIds] : memberMuterIds,
    candidates: { ...concerned, callableBotIds: [], webhookIds: webhooks.map(({ user_id }) => user_id) },
    topicPolicyCandidates: [],
    widget,
  }
}

/**
 * Finds the users that a client named. Throws BAD_REQUEST if one of them is unknown or not visible to the caller.
 */
async function findRecipients(
  context: Context,
  caller: MessageRequest['sender'],
  references: UserReferences,
): Promise<KnownUser[]> {
  if (references.ids) {
    const found = await findVisibleByIds(context, caller, references.ids)
    return references.ids.map((id) => found.get(id) ?? unknownRecipient(`Invalid user ID ${id}`))
  }
  const found = await findVisibleByEmails(context, caller, references.emails)
  return references.emails.map(
    (email) => found.get(email.toLowerCase()) ?? unknownRecipient(`Invalid email '${email}'`),
  )
}

function unknownRecipient(message: string): never {
  throw badRequest(message)
}

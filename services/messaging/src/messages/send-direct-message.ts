import { badRequest } from '@tms/contracts'
import type { Context } from '../kernel/context.ts'
import { listMentioned } from '../kernel/groups/group-mentions.ts'
import { findVisibleByEmails, findVisibleByIds } from '../kernel/guest-visibility/visible-users.ts'
import { findConversation } from '../kernel/messages/conversation.queries.ts'
import { parseUserReferences, type UserReferences } from '../kernel/messages/message-target.rules.ts'
import { policySubjectOf } from '../kernel/projections/policy-subject.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { normalizeContent } from '../kernel/text/content.rules.ts'
import { isOutgoingWebhook } from '../kernel/webhooks/find-webhooks.ts'
import { getWidget } from '../submessages/widget.rules.ts'
import { checkMayStartConversation, checkMayWrite } from './direct-message-permission.ts'
import { ensureConversation } from './ensure-conversation.ts'
import type { CheckedMessage } from './persist-message.ts'
import { renderContent } from './render-content.ts'
import type { SendRequest } from './send-request.ts'
import { checkRecipients, isReadBySender } from './sending.rules.ts'

/**
 * Checks a direct message without sending it, and creates its conversation if there is none. Clients rely on the
 * order of the checks.
 */
export async function prepareDirectMessage(sendRequest: SendRequest): Promise<CheckedMessage> {
  const { input, sender: author, context, client, echo } = sendRequest
  const { db, projections } = context
  const references = parseUserReferences(input.to)
  const [recipients, realm, sender, muterIds] = await Promise.all([
    findRecipients(context, author, references),
    projections.getRealm(author.realmId),
    projections.getUser(author.userId),
    projections.listMuters(author.realmId, author.userId),
  ])
  const content = normalizeContent(input.content)
  const widget = getWidget(content, input.widget_content)
  const directMessage = { realm, sender, recipients }
  await checkMayWrite(context, directMessage)
  checkRecipients(sender, recipients)
  const rendered = await renderContent(context, author, content)
  const alertedUserIds = await projections.findAlerted(author.realmId, content)

  const users = new Map([...recipients, sender].map((user) => [user.user_id, user]))
  const sortedIds = [...users.keys()].sort((a, b) => a - b)
  const existing = await findConversation(db, author.realmId, sortedIds)
  if (existing === null || existing.isUnused) await checkMayStartConversation(context, directMessage)
  const { recipientId, isUnused } = existing ?? (await ensureConversation(db, author.realmId, sortedIds))
  const mentionedUserIds = await listMentioned(db, {
    senderId: author.userId,
    policySubject: policySubjectOf(sender, realm, context.now()),
    realm,
    rendered,
    target: { channelId: null, recipientId },
    now: context.now(),
  })
  const isRead = isReadBySender(input.read_by_sender, client)
  const only = (userIds: readonly number[]) => userIds.filter((userId) => users.has(userId))
  const webhooks = sender.is_bot ? [] : recipients.filter(isOutgoingWebhook)
  return {
    recipientId,
    version: null,
    findVersion: null,
    notifiedUsers: {
      mentionedUserIds: only(mentionedUserIds),
      alertedUserIds: only(alertedUserIds),
      webhookIds: webhooks.map(({ user_id }) => user_id),
    },
    applyVisibilityChange: null,
    isReadByOthers: false,
    newConversationUserIds: isUnused ? sortedIds : null,
    pathIds: rendered.uploadPathIds,
    widget,
    buildContent: (notified) => ({
      notifiedUsers: notified,
      sender,
      realm,
      recipientId,
      target: { users: [...users.values()] },
      topic: '',
      content,
      rendered,
      sentAt: context.now(),
      client,
      echo,
      isPublicChannel: false,
      readerIds: [...(isRead ? [author.userId] : []), ...only(muterIds)],
      participantIds: [],
    }),
  }
}

/**
 * Finds the users that a client named. Throws BAD_REQUEST if one of them is unknown or not visible to the author.
 */
async function findRecipients(
  context: Context,
  author: SendRequest['sender'],
  references: UserReferences,
): Promise<KnownUser[]> {
  if (references.ids) {
    const found = await findVisibleByIds(context, author, references.ids)
    return references.ids.map((id) => found.get(id) ?? unknownRecipient(`Invalid user ID ${id}`))
  }
  const found = await findVisibleByEmails(context, author, references.emails)
  return references.emails.map(
    (email) => found.get(email.toLowerCase()) ?? unknownRecipient(`Invalid email '${email}'`),
  )
}

function unknownRecipient(message: string): never {
  throw badRequest(message)
}

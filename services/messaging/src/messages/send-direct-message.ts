import { badRequest } from '@tms/contracts'
import type { Context } from '../context.ts'
import type { KnownUser } from '../directory/directory.ts'
import { standingOf } from '../directory/standing.ts'
import { listMentioned } from '../groups/group-mentions.ts'
import { findSeenByEmails, findSeenByIds } from '../guest-visibility/unknown-users.ts'
import { widgetToSend } from '../submessages/widget.rules.ts'
import { isCalled } from '../webhooks/find-called.ts'
import { parseUserReferences, type UserReferences } from './addressee.rules.ts'
import { normalizeContent } from './content.rules.ts'
import { findConversation } from './conversation.queries.ts'
import type { Delivery } from './deliver.ts'
import { checkMayBegin, checkMayWrite } from './direct-message-permission.ts'
import { ensureConversation } from './ensure-conversation.ts'
import type { Outgoing } from './outgoing.ts'
import { renderContent } from './render-content.ts'
import { checkRecipients, isReadBySender } from './sending.rules.ts'

/**
 * Checks a message to users, all but sending it; their conversation is made where there is none. The checks are in
 * the order that clients rely on.
 */
export async function prepareDirectMessage(outgoing: Outgoing): Promise<Delivery> {
  const { input, sender: author, context, client, echo } = outgoing
  const { db, directory } = context
  const references = parseUserReferences(input.to)
  const [recipients, realm, sender, muterIds] = await Promise.all([
    findRecipients(context, author, references),
    directory.getRealm(author.realmId),
    directory.getUser(author.userId),
    directory.listMuters(author.realmId, author.userId),
  ])
  const content = normalizeContent(input.content)
  const widget = widgetToSend(content, input.widget_content)
  const writing = { realm, sender, recipients }
  await checkMayWrite(context, writing)
  checkRecipients(sender, recipients)
  const rendered = await renderContent(context, author, content)
  const alertedUserIds = await directory.findAlerted(author.realmId, content)

  const users = new Map([...recipients, sender].map((user) => [user.user_id, user]))
  const sortedIds = [...users.keys()].sort((a, b) => a - b)
  const present = await findConversation(db, author.realmId, sortedIds)
  if (present === null || present.isUnused) await checkMayBegin(context, writing)
  const { recipientId, isUnused } = present ?? (await ensureConversation(db, author.realmId, sortedIds))
  const mentionedUserIds = await listMentioned(db, {
    senderId: author.userId,
    standing: standingOf(sender, realm, context.now()),
    realm,
    rendered,
    place: { channelId: null, recipientId },
    now: context.now(),
  })
  const isRead = isReadBySender(input.read_by_sender, client)
  const only = (userIds: readonly number[]) => userIds.filter((userId) => users.has(userId))
  const webhooks = sender.is_bot ? [] : recipients.filter(isCalled)
  return {
    recipientId,
    revision: null,
    findRevision: null,
    reached: {
      mentionedUserIds: only(mentionedUserIds),
      alertedUserIds: only(alertedUserIds),
      webhookIds: webhooks.map(({ user_id }) => user_id),
    },
    settleVisibility: null,
    isReadByOthers: false,
    beginsBetween: isUnused ? sortedIds : null,
    pathIds: rendered.uploadPathIds,
    widget,
    draft: (whom) => ({
      reached: whom,
      sender,
      realm,
      recipientId,
      place: { users: [...users.values()] },
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

/** The users that a client named. Throws BAD_REQUEST if one of them is unknown, or not for the author to see. */
async function findRecipients(
  context: Context,
  author: Outgoing['sender'],
  references: UserReferences,
): Promise<KnownUser[]> {
  if (references.ids) {
    const found = await findSeenByIds(context, author, references.ids)
    return references.ids.map((id) => found.get(id) ?? unknownRecipient(`Invalid user ID ${id}`))
  }
  const found = await findSeenByEmails(context, author, references.emails)
  return references.emails.map(
    (email) => found.get(email.toLowerCase()) ?? unknownRecipient(`Invalid email '${email}'`),
  )
}

function unknownRecipient(message: string): never {
  throw badRequest(message)
}

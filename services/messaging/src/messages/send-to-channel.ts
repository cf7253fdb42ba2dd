import { isDeepStrictEqual } from 'node:util'
import { badRequest, Role } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { listMentioned } from '../kernel/groups/group-mentions.ts'
import { restrictsGuestVisibility } from '../kernel/guest-visibility/visible-users.ts'
import {
  type ChannelReference,
  missingRecipientError,
  parseChannelReference,
} from '../kernel/messages/message-target.rules.ts'
import { findPostingTarget, listSubscribed } from '../kernel/messages/posting-target.queries.ts'
import { policySubjectOf } from '../kernel/projections/policy-subject.ts'
import type { ProjectionReader } from '../kernel/projections/projection-reader.ts'
import { isMissingTopic, normalizeContent, normalizeTopic } from '../kernel/text/content.rules.ts'
import { findMentionedWebhooks } from '../kernel/webhooks/find-webhooks.ts'
import { getWidget } from '../submessages/widget.rules.ts'
import { checkMayPost } from './check-may-post.ts'
import { checkWildcards } from './check-wildcards.ts'
import type { CheckedMessage, NotifiedUsers } from './persist-message.ts'
import { prepareVisibilityChange } from './prepare-visibility-change.ts'
import { renderContent } from './render-content.ts'
import type { SendRequest } from './send-request.ts'
import { isReadBySender, noSuchChannel } from './sending.rules.ts'

/** Checks a message to a channel without sending it. Clients rely on the order of the checks. */
export async function prepareChannelMessage(sendRequest: SendRequest): Promise<CheckedMessage> {
  const { input, sender: author, context, client, echo } = sendRequest
  const { db, projections } = context
  const topic = normalizeTopic(input.topic)
  const reference =
    input.to === undefined ? await getDefaultReference(sendRequest) : parseChannelReference(input.to)
  const content = normalizeContent(input.content)
  const widget = getWidget(content, input.widget_content)

  const [target, realm, sender, muterIds] = await Promise.all([
    findPostingTarget(db, author, reference, topic),
    projections.getRealm(author.realmId),
    projections.getUser(author.userId),
    projections.listMuters(author.realmId, author.userId),
  ])
  if (!target) throw noSuchChannel(reference)
  const policySubject = policySubjectOf(sender, realm, context.now())
  await checkMayPost(context, { user: sender, realm, target }, reference)
  if (realm.mandatory_topics && isMissingTopic(topic)) {
    throw badRequest('Topics are required in this organization')
  }
  const rendered = await renderContent(context, author, content)
  const participantIds = await checkWildcards(db, {
    senderId: author.userId,
    channel: target.channel,
    topic,
    rendered,
    realm,
    policySubject,
  })
  const { channel, isSubscribed } = target
  const mentionedUserIds = await listMentioned(db, {
    senderId: author.userId,
    policySubject: policySubject,
    realm,
    rendered,
    target: { channelId: channel.id, recipientId: channel.recipientId },
    now: context.now(),
  })
  const alertedUserIds = await projections.findAlerted(author.realmId, content)

  const isRead = isSubscribed && isReadBySender(input.read_by_sender, client)
  const applyVisibilityChange = await prepareVisibilityChange(sendRequest, target, {
    sender,
    topic,
    mentionedUserIds,
  })
  const botIds = channel.inviteOnly
    ? []
    : await listMentionableBots(projections, author.realmId, rendered.mentionedUserIds)
  const webhookIds = await findMentionedWebhooks(context, sender, rendered, mentionedUserIds)
  const candidateIds = [...new Set([...mentionedUserIds, ...alertedUserIds])]
  const findNotifiedUsers = async (tx: Tx): Promise<NotifiedUsers> => {
    const subscribed = new Set(await listSubscribed(tx, channel.id, candidateIds))
    const only = (userIds: readonly number[]) => userIds.filter((userId) => subscribed.has(userId))
    const calledBotIds = botIds.filter((userId) => !subscribed.has(userId))
    return {
      mentionedUserIds: only(mentionedUserIds),
      alertedUserIds: only(alertedUserIds),
      calledBotIds,
      webhookIds: webhookIds.filter((userId) => subscribed.has(userId) || calledBotIds.includes(userId)),
    }
  }
  return {
    recipientId: channel.recipientId,
    version: target.version,
    findVersion: async () => {
      const current = await findPostingTarget(db, author, reference, topic)
      const isUnchanged = current && isDeepStrictEqual({ ...current, version: target.version }, target)
      return isUnchanged ? current.version : null
    },
    notifiedUsers: candidateIds.length === 0 ? { mentionedUserIds, alertedUserIds } : findNotifiedUsers,
    isReadByOthers: muterIds.length > 0,
    applyVisibilityChange,
    newConversationUserIds: null,
    pathIds: rendered.uploadPathIds,
    widget,
    buildContent: (notified) => ({
      notifiedUsers: notified,
      sender,
      realm,
      recipientId: channel.recipientId,
      target: { channel },
      topic,
      content,
      rendered,
      sentAt: context.now(),
      client,
      echo,
      isPublicChannel: !channel.inviteOnly,
      isSenderOutside: restrictsGuestVisibility(realm) && !isSubscribed && !sender.is_bot,
      readerIds: [...(isRead ? [author.userId] : []), ...muterIds],
      participantIds,
    }),
  }
}

/** Bots among the mentioned users. They may be mentioned in any channel that members see. */
async function listMentionableBots(
  projections: ProjectionReader,
  realmId: number,
  userIds: readonly number[],
): Promise<number[]> {
  if (userIds.length === 0) return []
  const users = await projections.findUsersByIds(realmId, userIds)
  return [...users.values()]
    .filter(
      ({ is_bot, is_active, is_system_bot, role }) =>
        is_bot && is_active && !is_system_bot && role <= Role.member,
    )
    .map(({ user_id }) => user_id)
}

/**
 * Returns the default channel of a bot. Throws REQUEST_VARIABLE_MISSING if there is none, and SERVICE_UNAVAILABLE
 * while it is unknown.
 */
async function getDefaultReference({
  sender,
  context: { projections },
}: SendRequest): Promise<ChannelReference> {
  const { is_bot } = await projections.getUser(sender.userId)
  const id = is_bot ? await projections.findDefaultChannel(sender.userId) : null
  if (id === null) throw missingRecipientError()
  return { id }
}

import { isDeepStrictEqual } from 'node:util'
import { badRequest, Role } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import type { Directory } from '../directory/directory.ts'
import { standingOf } from '../directory/standing.ts'
import { listMentioned } from '../groups/group-mentions.ts'
import { restrictsGuestVisibility } from '../guest-visibility/unknown-users.ts'
import { widgetToSend } from '../submessages/widget.rules.ts'
import { findMentionedWebhooks } from '../webhooks/find-called.ts'
import { type ChannelReference, noAddressee, parseChannelReference } from './addressee.rules.ts'
import { checkMayPost } from './check-may-post.ts'
import { checkWildcards } from './check-wildcards.ts'
import { isMissingTopic, normalizeContent, normalizeTopic } from './content.rules.ts'
import type { Delivery, Reached } from './deliver.ts'
import type { Outgoing } from './outgoing.ts'
import { findTopicPlace, listSubscribed } from './posting-place.queries.ts'
import { renderContent } from './render-content.ts'
import { isReadBySender, noSuchChannel } from './sending.rules.ts'
import { visibilityChange } from './settle-visibility.ts'

/** Checks a message to a channel, all but sending it. The checks are in the order that clients rely on. */
export async function prepareChannelMessage(outgoing: Outgoing): Promise<Delivery> {
  const { input, sender: author, context, client, echo } = outgoing
  const { db, directory } = context
  const topic = normalizeTopic(input.topic)
  const reference =
    input.to === undefined ? await defaultReferenceOf(outgoing) : parseChannelReference(input.to)
  const content = normalizeContent(input.content)
  const widget = widgetToSend(content, input.widget_content)

  const [place, realm, sender, muterIds] = await Promise.all([
    findTopicPlace(db, author, reference, topic),
    directory.getRealm(author.realmId),
    directory.getUser(author.userId),
    directory.listMuters(author.realmId, author.userId),
  ])
  if (!place) throw noSuchChannel(reference)
  const standing = standingOf(sender, realm, context.now())
  await checkMayPost(context, { user: sender, realm, place }, reference)
  if (realm.mandatory_topics && isMissingTopic(topic)) {
    throw badRequest('Topics are required in this organization')
  }
  const rendered = await renderContent(context, author, content)
  const participantIds = await checkWildcards(db, {
    senderId: author.userId,
    channel: place.channel,
    topic,
    rendered,
    realm,
    standing,
  })
  const { channel, isSubscribed } = place
  const mentionedUserIds = await listMentioned(db, {
    senderId: author.userId,
    standing,
    realm,
    rendered,
    place: { channelId: channel.id, recipientId: channel.recipientId },
    now: context.now(),
  })
  const alertedUserIds = await directory.findAlerted(author.realmId, content)

  const isRead = isSubscribed && isReadBySender(input.read_by_sender, client)
  const settleVisibility = await visibilityChange(outgoing, place, { sender, topic, mentionedUserIds })
  const botIds = channel.inviteOnly
    ? []
    : await findBots(directory, author.realmId, rendered.mentionedUserIds)
  const webhookIds = await findMentionedWebhooks(context, sender, rendered, mentionedUserIds)
  const mayReach = [...new Set([...mentionedUserIds, ...alertedUserIds])]
  const askReached = async (tx: Tx): Promise<Reached> => {
    const subscribed = new Set(await listSubscribed(tx, channel.id, mayReach))
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
    revision: place.revision,
    findRevision: async () => {
      const now = await findTopicPlace(db, author, reference, topic)
      return now && isDeepStrictEqual({ ...now, revision: place.revision }, place) ? now.revision : null
    },
    reached: mayReach.length === 0 ? { mentionedUserIds, alertedUserIds } : askReached,
    isReadByOthers: muterIds.length > 0,
    settleVisibility,
    beginsBetween: null,
    pathIds: rendered.uploadPathIds,
    widget,
    draft: (whom) => ({
      reached: whom,
      sender,
      realm,
      recipientId: channel.recipientId,
      place: { channel },
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

/** The bots among those whom a text names: they may be called to any channel that members see. */
async function findBots(
  directory: Directory,
  realmId: number,
  userIds: readonly number[],
): Promise<number[]> {
  if (userIds.length === 0) return []
  const users = await directory.findUsersByIds(realmId, userIds)
  return [...users.values()]
    .filter(
      ({ is_bot, is_active, is_system_bot, role }) =>
        is_bot && is_active && !is_system_bot && role <= Role.member,
    )
    .map(({ user_id }) => user_id)
}

/** The default channel of a bot. Throws REQUEST_VARIABLE_MISSING for who has none, and SERVICE_UNAVAILABLE while nobody can tell. */
async function defaultReferenceOf({ sender, context: { directory } }: Outgoing): Promise<ChannelReference> {
  const { is_bot } = await directory.getUser(sender.userId)
  const id = is_bot ? await directory.findDefaultChannel(sender.userId) : null
  if (id === null) throw noAddressee()
  return { id }
}

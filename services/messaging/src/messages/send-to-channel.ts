import { AppError, badRequest, type RealmFacts, type Standing } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { standingOf } from '../directory/standing.ts'
import type { Rendered } from '../rendering/render-markdown.ts'
import { parseChannelReference } from './addressee.rules.ts'
import { isMissingTopic, normalizeContent, normalizeTopic } from './content.rules.ts'
import type { Delivery, Reached } from './deliver.ts'
import { findAlerted } from './find-alerted.ts'
import type { Outgoing } from './outgoing.ts'
import {
  type ChannelPlace,
  countSubscribers,
  findTopicPlace,
  listParticipants,
  listSubscribed,
} from './posting-place.queries.ts'
import { renderContent } from './render-content.ts'
import {
  checkPosting,
  isReadBySender,
  mayMentionMany,
  noSuchChannel,
  WILDCARD_FREE_SIZE,
} from './sending.rules.ts'
import { visibilityChange } from './settle-visibility.ts'

/** Checks a message to a channel, all but sending it. The checks are in the order that clients rely on. */
export async function prepareChannelMessage(outgoing: Outgoing): Promise<Delivery> {
  const { input, sender: author, context, client, echo } = outgoing
  const { db, directory } = context
  const topic = normalizeTopic(input.topic)
  const reference = parseChannelReference(input.to)
  const content = normalizeContent(input.content)

  const [place, realm, sender, muterIds] = await Promise.all([
    findTopicPlace(db, author, reference, topic),
    directory.getRealm(author.realmId),
    directory.getUser(author.userId),
    directory.listMuters(author.realmId, author.userId),
  ])
  if (!place) throw noSuchChannel(reference)
  const standing = standingOf(sender, realm, context.now())
  checkPosting(standing, place)
  if (realm.mandatory_topics && isMissingTopic(topic)) {
    throw badRequest('Topics are required in this organization')
  }
  const rendered = await renderContent(context, author, content)
  const participantIds = await checkWildcards(outgoing, place, { topic, rendered, realm, standing })
  const alertedUserIds = await findAlerted(directory, author.realmId, content)

  const { channel, isSubscribed } = place
  const isRead = isSubscribed && isReadBySender(input.read_by_sender, client)
  const { mentionedUserIds } = rendered
  const settleVisibility = await visibilityChange(outgoing, place, { sender, topic, mentionedUserIds })
  const mayReach = [...new Set([...mentionedUserIds, ...alertedUserIds])]
  const askReached = async (tx: Tx): Promise<Reached> => {
    const subscribed = new Set(await listSubscribed(tx, channel.id, mayReach))
    const only = (userIds: readonly number[]) => userIds.filter((userId) => subscribed.has(userId))
    return { mentionedUserIds: only(mentionedUserIds), alertedUserIds: only(alertedUserIds) }
  }
  return {
    recipientId: channel.recipientId,
    reached: mayReach.length === 0 ? { mentionedUserIds, alertedUserIds } : askReached,
    settleVisibility,
    pathIds: rendered.uploadPathIds,
    draft: (reached) => ({
      ...reached,
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
      readerIds: [...(isRead ? [author.userId] : []), ...muterIds],
      participantIds,
    }),
  }
}

/**
 * Checks mentions of everyone against the organization's policy, and returns whom a topic mention means.
 * Costs nothing without such a mention, and no more for a larger channel.
 */
async function checkWildcards(
  { sender, context: { db } }: Outgoing,
  { channel }: ChannelPlace,
  facts: { topic: string; rendered: Rendered; realm: RealmFacts; standing: Standing },
): Promise<number[]> {
  const { topic, rendered, realm, standing } = facts
  const isLimited = !mayMentionMany(realm.wildcard_mention_policy, standing)
  if (rendered.mentionsChannelWildcard && isLimited) {
    const subscribers = await countSubscribers(db, channel.id, WILDCARD_FREE_SIZE + 1)
    if (subscribers > WILDCARD_FREE_SIZE) throw new AppError('STREAM_WILDCARD_MENTION_NOT_ALLOWED')
  }
  if (!rendered.mentionsTopicWildcard) return []
  const participants = new Set(await listParticipants(db, channel.recipientId, topic)).add(sender.userId)
  if (isLimited && participants.size > WILDCARD_FREE_SIZE) {
    throw new AppError('TOPIC_WILDCARD_MENTION_NOT_ALLOWED')
  }
  return [...participants]
}

import { AppError, badRequest, type RealmFacts, type Standing } from '@tms/contracts'
import { inTransaction } from '@tms/service-kit'
import { claimAttachments } from '../attachments/claim-attachments.ts'
import { findPathIds } from '../attachments/path-id.rules.ts'
import { canAccessChannel, canPost } from '../channels/channel.rules.ts'
import { standingOf } from '../directory/standing.ts'
import type { Rendered } from '../rendering/render-markdown.ts'
import { parseChannelReference } from './addressee.rules.ts'
import { announceMessage } from './announce-message.ts'
import { composeMessage, type Draft } from './compose-message.ts'
import { isMissingTopic, normalizeContent, normalizeTopic } from './content.rules.ts'
import {
  type ChannelPlace,
  countSubscribers,
  findChannelPlace,
  listParticipants,
  listSubscribed,
} from './posting-place.queries.ts'
import { renderContent } from './render-content.ts'
import type { SendRequest } from './send-request.ts'
import { mayMentionMany, noSuchChannel, WILDCARD_FREE_SIZE } from './sending.rules.ts'
import { lockRecipient, storeMessage } from './store-message.queries.ts'

/** Sends to a channel and returns the message's ID. The checks are in the order that clients rely on. */
export async function sendToChannel(request: SendRequest): Promise<number> {
  const { input, caller, context, requestId } = request
  const { db, directory } = context
  const topic = normalizeTopic(input.topic)
  const reference = parseChannelReference(input.to)
  const content = normalizeContent(input.content)

  const [place, realm, sender] = await Promise.all([
    findChannelPlace(db, caller, reference),
    directory.getRealm(caller.realmId),
    directory.getUser(caller.userId),
  ])
  if (!place) throw noSuchChannel(reference)
  const standing = standingOf(sender, realm, context.now())
  checkPosting(standing, place)
  if (realm.mandatory_topics && isMissingTopic(topic)) {
    throw badRequest('Topics are required in this organization')
  }
  const rendered = await renderContent(context, caller, content)
  const participantIds = await checkWildcards(request, place, { topic, rendered, realm, standing })

  const { channel, isSubscribed } = place
  const draft = (mentionedUserIds: readonly number[]): Draft => ({
    request,
    sender,
    realm,
    recipientId: channel.recipientId,
    place: { channel },
    topic,
    content,
    rendered,
    isReceivedBySender: isSubscribed,
    isPublicChannel: !channel.inviteOnly,
    mentionedUserIds,
    participantIds,
  })
  const pathIds = findPathIds(content)
  if (rendered.mentionedUserIds.length === 0 && pathIds.length === 0) {
    const { message, announced } = composeMessage(draft([]))
    return storeMessage(db, message, announceMessage(announced, requestId))
  }
  // Who is subscribed can only be told under the lock that subscribing takes too, and in a later snapshot.
  return inTransaction(db, async (tx) => {
    await lockRecipient(tx, channel.recipientId)
    const mentioned = await listSubscribed(tx, channel.id, rendered.mentionedUserIds)
    const { message, announced } = composeMessage(draft(mentioned))
    const messageId = await storeMessage(tx, message, announceMessage(announced, requestId))
    await claimAttachments(tx, context, { sender: caller, messageId, pathIds, requestId })
    return messageId
  })
}

function checkPosting(standing: Standing, { channel, isSubscribed }: ChannelPlace): void {
  if (!canPost(standing, channel)) {
    throw badRequest('You do not have permission to post in this channel.')
  }
  if (!canAccessChannel(standing, channel, { isActive: isSubscribed })) {
    throw badRequest(`Not authorized to send to channel '${channel.name}'`)
  }
}

/**
 * Checks mentions of everyone against the organization's policy, and returns whom a topic mention means.
 * Costs nothing without such a mention, and no more for a larger channel.
 */
async function checkWildcards(
  { caller, context: { db } }: SendRequest,
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
  const participants = new Set(await listParticipants(db, channel.recipientId, topic)).add(caller.userId)
  if (isLimited && participants.size > WILDCARD_FREE_SIZE) {
    throw new AppError('TOPIC_WILDCARD_MENTION_NOT_ALLOWED')
  }
  return [...participants]
}

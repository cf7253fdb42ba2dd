import { canAccessPublicChannels } from '@tms/contracts'
import { isWithinLimit } from '../kernel/access/channel-limit.rules.ts'
import type { Context } from '../kernel/context.ts'
import { isHiddenFromGuests } from '../kernel/guest-visibility/visible-users.ts'
import {
  type ChannelReference,
  missingRecipientError,
  parseChannelReference,
} from '../kernel/messages/message-target.rules.ts'
import type { TopicTarget } from '../kernel/messages/posting-target.queries.ts'
import type { KnownUser, ProjectionReader } from '../kernel/projections/projection-reader.ts'
import { checkMandatoryTopic, normalizeContent, normalizeTopic } from '../kernel/text/content.rules.ts'
import { findMentionedWebhooks } from '../kernel/webhooks/find-webhooks.ts'
import { findWidget } from '../submessages/widget.rules.ts'
import { nextVisibility } from '../topics/visibility.rules.ts'
import { checkMayPost } from './check-may-post.ts'
import type { CheckedMessage } from './checked-message.ts'
import { renderContent } from './render-content.ts'
import { resolveMentions } from './resolve-mentions.ts'
import type { MessageRequest } from './send-request.ts'
import { isReadBySender, noSuchChannel } from './sending.rules.ts'

/** Prepares a message to a channel, with every check of it. Clients rely on the order of the checks. */
export async function prepareChannelMessage(
  context: Context,
  { input, sender: caller, client, echo }: MessageRequest,
  { mayRecall = false }: { readonly mayRecall?: boolean },
): Promise<CheckedMessage> {
  const { projections, topicTargets } = context
  const topic = normalizeTopic(input.topic)
  const reference =
    input.to === undefined
      ? await getDefaultReference(projections, caller.userId)
      : parseChannelReference(input.to)
  const content = normalizeContent(input.content)
  const widget = findWidget(content, input.widget_content)

  const question = { user: caller, reference, topic }
  const recalled = mayRecall ? topicTargets.recall(question) : null
  const [found, realm, sender, muterIds] = await Promise.all([
    recalled ?? topicTargets.find(question),
    projections.getRealm(caller.realmId),
    projections.getUser(caller.userId),
    projections.listMuters(caller.realmId, caller.userId),
  ])
  const check = async (target: TopicTarget | null): Promise<TopicTarget> => {
    if (!target || !isWithinLimit(caller, target.channel.id)) throw noSuchChannel(reference)
    await checkMayPost(context, { user: sender, realm, target }, reference)
    return target
  }
  // What was recalled is no reason to refuse a message: the sender may have been allowed since.
  const target = recalled
    ? await check(recalled).catch(async () => check(await topicTargets.find(question)))
    : await check(found)
  checkMandatoryTopic(realm, topic)

  const rendered = await renderContent(context, caller, content)
  const { channel, isSubscribed } = target
  const concerned = await resolveMentions(context, {
    author: sender,
    realm,
    target: { recipientId: channel.recipientId, channelId: channel.id, topic },
    content,
    rendered,
  })
  const { mentionedUserIds } = concerned
  const isRead = isSubscribed && isReadBySender(input.read_by_sender, client)
  return {
    sender,
    realm,
    target,
    content,
    rendered,
    client,
    echo,
    isSenderOutside: !isSubscribed && isHiddenFromGuests(realm, sender),
    readerIds: isRead ? [caller.userId, ...muterIds] : muterIds,
    candidates: {
      ...concerned,
      callableBotIds: channel.inviteOnly
        ? []
        : await listMentionableBots(projections, caller.realmId, rendered.mentionedUserIds),
      webhookIds: await findMentionedWebhooks(context, sender, rendered, mentionedUserIds),
    },
    topicPolicyCandidates: await listTopicPolicyCandidates(projections, target, sender, mentionedUserIds),
    widget,
  }
}

/**
 * Lists the sender and the mentioned users if the message may change the topic policy of one of them. Otherwise nobody,
 * as for most messages.
 */
async function listTopicPolicyCandidates(
  projections: ProjectionReader,
  { isSubscribed, isStarted, senderPolicy }: TopicTarget,
  sender: KnownUser,
  mentionedUserIds: readonly number[],
): Promise<KnownUser[]> {
  const changesOwn =
    isSubscribed && nextVisibility(sender, isStarted ? 'send' : 'start', senderPolicy) !== null
  if (!changesOwn && mentionedUserIds.length === 0) return []
  const mentioned = await projections.findUsersByIds(sender.realm_id, mentionedUserIds)
  const others = mentionedUserIds.filter((userId) => userId !== sender.user_id)
  return [sender, ...others.map((userId) => mentioned.get(userId)).filter((user) => user !== undefined)]
}

/** Lists the bots among the mentioned users. They may be mentioned in any channel that members see. */
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
        is_bot && is_active && !is_system_bot && canAccessPublicChannels(role),
    )
    .map(({ user_id }) => user_id)
}

/**
 * Returns the default channel of a bot. Throws REQUEST_VARIABLE_MISSING if there is none, and SERVICE_UNAVAILABLE
 * while it is unknown.
 */
async function getDefaultReference(projections: ProjectionReader, userId: number): Promise<ChannelReference> {
  const { is_bot } = await projections.getUser(userId)
  const id = is_bot ? await projections.findDefaultChannel(userId) : null
  if (id === null) throw missingRecipientError()
  return { id }
}

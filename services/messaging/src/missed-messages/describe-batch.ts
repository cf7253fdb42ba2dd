import type { MissedConversation } from '@tms/contracts'
import { canSeeMessage } from '../kernel/access/message.rules.ts'
import type { Context } from '../kernel/context.ts'
import { listMessageViews, type MessageView } from '../kernel/messages/message-view.queries.ts'
import { type PresentedMessage, presentMessages } from '../messages/present-messages.ts'
import { messageUrl, topicUrl } from '../rendering/syntax/channel-urls.ts'
import type { Batch, BatchedMessage } from './batch.queries.ts'
import { boundHtml, fitIntoMail, reasonOf } from './conversation.rules.ts'
import { renderForMail } from './mail-html.rules.ts'
import { writeForMail } from './mail-text.rules.ts'

/** What the text of a message becomes that a moderator empties. */
const DELETED = '(deleted)'

interface Missed {
  readonly batched: BatchedMessage
  readonly view: MessageView
  readonly presented: PresentedMessage
}

/**
 * The conversations of a batch as the user sees them now: messages that were read or deleted meanwhile, or that the
 * user may no longer see, are left out. Ordered by their newest messages.
 */
export async function describeBatch(
  context: Context,
  { realmId, userId }: Batch,
  messages: readonly BatchedMessage[],
): Promise<MissedConversation[]> {
  const { url } = await context.projections.getRealm(realmId)
  const { role } = await context.projections.getUser(userId)
  const viewer = { realmId, userId, role }
  const ids = messages.map(({ messageId }) => messageId)
  const views = (await listMessageViews(context.db, viewer, ids, { html: true, raw: true })).filter(
    (view) => !view.isRead && view.raw !== DELETED && canSeeMessage(viewer, view),
  )
  if (views.length === 0) return []
  const presented = await presentMessages(context, viewer, views, {
    applyMarkdown: true,
    clientGravatar: false,
    knowsEmptyTopics: false,
  })
  const batchedOf = new Map(messages.map((message) => [message.messageId, message]))
  const missed = views.flatMap((view, index): Missed[] => {
    const [batched, shown] = [batchedOf.get(view.id), presented[index]]
    return batched && shown ? [{ batched, view, presented: shown }] : []
  })
  return [...Map.groupBy(missed, keyOf).values()]
    .toSorted((a, b) => newestOf(a).view.id - newestOf(b).view.id)
    .map((conversation) => describeConversation(conversation, userId, url))
}

/** Topics are the same regardless of case. */
const keyOf = ({ view }: Missed): string => `${view.recipientId} ${view.topic.toLowerCase()}`

function newestOf(conversation: readonly Missed[]): Missed {
  const newest = conversation.at(-1)
  if (newest === undefined) throw new Error('a conversation without messages')
  return newest
}

function describeConversation(
  conversation: readonly Missed[],
  userId: number,
  baseUrl: string,
): MissedConversation {
  const newest = newestOf(conversation)
  const { channel, recipientId, topic } = newest.view
  const others = participantsOf(newest).filter(({ id }) => id !== userId)
  const { shown, omittedCount } = fitIntoMail(
    conversation.map(({ view, presented }) => ({
      sender_name: presented.sender_full_name,
      text: writeForMail(view.raw ?? '', baseUrl),
      html: boundHtml(renderForMail(view.html ?? '', baseUrl)),
    })),
  )
  const { trigger, groupName } = reasonOf(conversation.map(({ batched }) => batched))
  return {
    kind: channel ? 'channel' : others.length > 1 ? 'group' : 'direct',
    recipient_id: recipientId,
    channel_name: channel?.name ?? null,
    topic: channel ? newest.presented.subject : topic,
    participants: others.map(({ full_name }) => full_name),
    path: pathOf(conversation, trigger === 'mentioned'),
    trigger,
    group_name: groupName,
    messages: [...shown],
    omitted_count: omittedCount,
  }
}

function participantsOf({ presented }: Missed): readonly { id: number; full_name: string }[] {
  return typeof presented.display_recipient === 'string' ? [] : presented.display_recipient
}

/** A mention leads to the message, everything else to the conversation at it. */
function pathOf(conversation: readonly Missed[], isMention: boolean): string {
  const { view } = newestOf(conversation)
  const { channel, topic } = view
  if (channel === null) {
    const ids = view.userIds ?? []
    return `/#narrow/dm/${ids.join(',')}-${ids.length > 2 ? 'group' : 'dm'}/near/${view.id}`
  }
  const linked = { channelId: channel.id, name: channel.name }
  const mention = conversation.find(({ batched }) => batched.trigger === 'mentioned')
  return isMention && mention ? messageUrl(linked, topic, mention.view.id) : topicUrl(linked, topic, view.id)
}

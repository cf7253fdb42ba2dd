import type { MissedConversation } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { canSeeMessage } from '../kernel/access/message.rules.ts'
import type { Context } from '../kernel/context.ts'
import { listMessageViews, type MessageView } from '../kernel/messages/message-view.queries.ts'
import { type PresentedMessage, presentMessages } from '../messages/present-messages.ts'
import { messageUrl, topicUrl } from '../rendering/syntax/channel-urls.ts'
import type { BatchedMessage } from './batch.queries.ts'
import { listContextIds } from './context.queries.ts'
import { boundHtml, type Chosen, fitIntoMail, isMention, reasonOf } from './conversation.rules.ts'
import { renderForMail } from './mail-html.rules.ts'
import { writeForMail } from './mail-text.rules.ts'

/** Newest messages of a conversation by which a mail is compared before it is sent. A mail shows fewer. */
const MAX_REFERENCES = 50

type Viewer = Pick<Caller, 'realmId' | 'userId' | 'role'>

/** A missed message as its user sees it, with or without its text. */
export interface MissedMessageView {
  readonly batched: BatchedMessage
  readonly view: MessageView
}

/** Of these messages those that the user may see and hasn't read, by ID. */
export async function listUnread(
  context: Context,
  viewer: Viewer,
  ids: readonly number[],
  texts: { readonly html?: boolean; readonly raw?: boolean } = {},
): Promise<MessageView[]> {
  const views = await listMessageViews(context.db, viewer, ids, texts)
  return views.filter((view) => !view.isRead && canSeeMessage(viewer, view))
}

/**
 * A conversation as the user sees it now, whose newest texts are read unless they were; null if nothing of it is to be seen any
 * more.
 */
export async function describeConversation(
  context: Context,
  viewer: Viewer,
  baseUrl: string,
  { missed, newest }: Chosen<MissedMessageView>,
): Promise<MissedConversation | null> {
  const unread = newest.every(({ view }) => view.html !== null && view.raw !== null)
    ? newest.map(({ view }) => view)
    : await listUnread(
        context,
        viewer,
        newest.map(({ view }) => view.id),
        { html: true, raw: true },
      )
  const last = unread.at(-1)
  if (last === undefined) return null
  const earlier = unread.length === missed.length ? await listContext(context, viewer, missed[0]) : []
  const views = [...earlier, ...unread]
  const presented = await presentMessages(context, viewer, views, {
    applyMarkdown: true,
    clientGravatar: false,
    knowsEmptyTopics: false,
  })
  const { channel, recipientId, topic } = last
  const lastPresented = presented.at(-1)
  const others = participantsOf(lastPresented).filter(({ id }) => id !== viewer.userId)
  const shown = fitIntoMail(
    views.map(({ raw, html }, index) => ({
      sender_name: presented[index]?.sender_full_name ?? '',
      text: writeForMail(raw ?? '', baseUrl),
      html: boundHtml(renderForMail(html ?? '', baseUrl)),
      ...(index < earlier.length && { is_context: true }),
    })),
  )
  const shownOfMissed = shown.filter((each) => each.is_context !== true)
  const { trigger, groupName } = reasonOf(missed.map(({ batched }) => batched))
  return {
    kind: channel ? 'channel' : others.length > 1 ? 'group' : 'direct',
    recipient_id: recipientId,
    channel_name: channel?.name ?? null,
    topic: channel ? (lastPresented?.subject ?? topic) : topic,
    participants: others.map(({ full_name }) => full_name),
    path: pathOf(last, trigger === 'mentioned' ? missed : []),
    trigger,
    group_name: groupName,
    messages: [...shown],
    newest_message_id: last.id,
    references: missed.slice(-MAX_REFERENCES).map(({ batched }) => ({
      ...{ message_id: batched.messageId, trigger: batched.trigger, group_id: batched.groupId },
    })),
    context_ids: earlier.map(({ id }) => id),
    older_count: Math.max(0, missed.length - MAX_REFERENCES),
    omitted_count: missed.length - shownOfMissed.length,
  }
}

/** What was written in a topic right before a mention, as far as the user sees it. */
async function listContext(
  context: Context,
  viewer: Viewer,
  first: MissedMessageView | undefined,
): Promise<MessageView[]> {
  if (!first?.view.channel || !isMention(first.batched.trigger)) return []
  const ids = await listContextIds(context.db, first.view.id)
  if (ids.length === 0) return []
  const [views, { muted_user_ids: muted }] = await Promise.all([
    listMessageViews(context.db, viewer, ids, { html: true, raw: true }),
    context.projections.getUser(viewer.userId),
  ])
  return views.filter((view) => canSeeMessage(viewer, view) && !muted.includes(view.senderId))
}

function participantsOf(
  presented: PresentedMessage | undefined,
): readonly { id: number; full_name: string }[] {
  const recipient = presented?.display_recipient ?? ''
  return typeof recipient === 'string' ? [] : recipient
}

/** A mention leads to the first such message, everything else to the conversation at its newest one. */
function pathOf(view: MessageView, missed: readonly MissedMessageView[]): string {
  const { channel, topic } = view
  if (channel === null) {
    const ids = view.userIds ?? []
    return `/#narrow/dm/${ids.join(',')}-${ids.length > 2 ? 'group' : 'dm'}/near/${view.id}`
  }
  const linked = { channelId: channel.id, name: channel.name }
  const mention = missed.find(({ batched }) => batched.trigger === 'mentioned')
  return mention ? messageUrl(linked, topic, mention.view.id) : topicUrl(linked, topic, view.id)
}

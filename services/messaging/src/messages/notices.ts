import type { RealmProjection } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import type { Channel } from '../kernel/channels/channel.queries.ts'
import type { Context } from '../kernel/context.ts'
import { locks } from '../kernel/locks/locks.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { createMentionLookup, type ResolvedReferences } from '../kernel/rendering/mention-lookup.ts'
import type { Rendered } from '../kernel/rendering/renderer.ts'
import { renderingSettingsOf } from '../kernel/rendering/rendering-settings.ts'
import { normalizeContent } from '../kernel/text/content.rules.ts'
import { renderMarkdown } from '../rendering/render-markdown.ts'
import { composeMessage, type MessageContent } from './compose-message.ts'
import { ensureConversation } from './ensure-conversation.ts'
import { NO_NOTIFIED_USERS } from './notified-users.rules.ts'
import { renderContent } from './render-content.ts'
import { storeMessage } from './store-message.queries.ts'

/** Client name of notices. */
const CLIENT = 'Internal'

/** The system bot as the sender of a notice. */
export interface NoticeSender {
  readonly sender: KnownUser
  readonly realm: RealmProjection
  readonly sentAt: Date
}

/** A rendered notice of the system bot, ready to be stored. */
export interface Notice extends NoticeSender {
  readonly content: string
  readonly rendered: Rendered
}

/** The sender of notices. Call it before the transaction. Throws SERVICE_UNAVAILABLE as `getSystemBot` does. */
export async function getNoticeSender(context: Context, realmId: number): Promise<NoticeSender> {
  const [sender, realm] = await Promise.all([
    context.projections.getSystemBot(realmId),
    context.projections.getRealm(realmId),
  ])
  return { sender, realm, sentAt: context.now() }
}

/**
 * Renders a notice with what only a transaction knows. Its text may refer to users and channels in `known`, and to
 * nothing else. Keep the text short: it is rendered in this thread.
 */
export function renderNotice(noticeSender: NoticeSender, text: string, known: ResolvedReferences): Notice {
  const content = normalizeContent(text)
  const settings = { ...renderingSettingsOf(noticeSender.realm, null), showsPreviews: false }
  return { ...noticeSender, content, rendered: renderMarkdown(content, createMentionLookup(known), settings) }
}

/** Renders a notice before the transaction. A notice flags nobody, so mention users silently in it. */
export async function prepareNotice(context: Context, realmId: number, text: string): Promise<Notice> {
  const noticeSender = await getNoticeSender(context, realmId)
  const content = normalizeContent(text)
  const author = { userId: noticeSender.sender.user_id, realmId, role: noticeSender.sender.role }
  return { ...noticeSender, content, rendered: await renderContent(context, author, content) }
}

/**
 * Stores a notice in a channel and publishes it, in the transaction of the change that it is about. Returns its
 * ID. Locks the recipient of the channel. `topic` is stored unchanged.
 */
export function storeChannelNotice(
  tx: Tx,
  notice: Notice,
  to: {
    readonly channel: Pick<Channel, 'id' | 'name' | 'recipientId' | 'inviteOnly'>
    readonly topic: string
    readonly requestId: string | null
    /** Subscribers with the notice stored as read: the user who caused it. */
    readonly readerIds?: readonly number[]
  },
): Promise<number> {
  tx.lockRecord.add(locks.recipients, [to.channel.recipientId])
  const { channel, topic, requestId, readerIds = [] } = to
  const target = { recipientId: channel.recipientId, channel, topic }
  return store(tx, notice, { target, requestId, readerIds })
}

/**
 * Stores a notice to one user and publishes it, in the transaction of the change that it is about. Returns its ID.
 */
export async function storeDirectNotice(
  tx: Tx,
  notice: Notice,
  to: { readonly user: KnownUser; readonly requestId: string | null },
): Promise<number> {
  tx.lockRecord.add(locks.noticeConversations, [to.user.user_id])
  const { sender, realm } = notice
  const sortedIds = [sender.user_id, to.user.user_id].sort((a, b) => a - b)
  const { recipientId } = await ensureConversation(tx, realm.realm_id, sortedIds)
  const target = { recipientId, users: [sender, to.user] }
  return store(tx, notice, { target, requestId: to.requestId, readerIds: [] })
}

interface StoreNoticeOptions {
  readonly target: MessageContent['target']
  readonly requestId: string | null
  /** Users with the notice stored as read, besides its sender. */
  readonly readerIds: readonly number[]
}

function store(
  tx: Tx,
  { sender, realm, sentAt, content, rendered }: Notice,
  { target, requestId, readerIds }: StoreNoticeOptions,
): Promise<number> {
  const messageContent: MessageContent = {
    sender,
    realm,
    target,
    content,
    rendered,
    client: CLIENT,
    echo: null,
    isSenderOutside: false,
    readerIds: [sender.user_id, ...readerIds],
  }
  const details = { sentAt, notified: NO_NOTIFIED_USERS, submessage: null }
  return storeMessage(tx, composeMessage(messageContent, details), { requestId })
}

import type { RealmProjection } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import type { Channel } from '../channels/channel.queries.ts'
import type { Context } from '../context.ts'
import type { KnownUser } from '../directory/directory.ts'
import { createDirectory, type Known } from '../rendering/directory.ts'
import { type Rendered, renderMarkdown } from '../rendering/render-markdown.ts'
import { announceMessage } from './announce-message.ts'
import { composeMessage, type Draft } from './compose-message.ts'
import { normalizeContent } from './content.rules.ts'
import { ensureConversation } from './ensure-conversation.ts'
import { renderContent } from './render-content.ts'
import { renderingSettingsOf } from './rendering-settings.ts'
import { storeMessage } from './store-message.queries.ts'

/** Name of the client program under which the organization's own actor writes. */
const CLIENT = 'Internal'

/** The organization's own actor, about to say something. */
export interface Speaker {
  readonly sender: KnownUser
  readonly realm: RealmProjection
  readonly sentAt: Date
}

/** Something that the organization's own actor has to say, ready to be stored. */
export interface Notice extends Speaker {
  readonly content: string
  readonly rendered: Rendered
}

/** Finds who speaks; do it before opening a transaction. */
export async function findSpeaker(context: Context, realmId: number): Promise<Speaker> {
  const [sender, realm] = await Promise.all([
    context.directory.getSystemBot(realmId),
    context.directory.getRealm(realmId),
  ])
  return { sender, realm, sentAt: context.now() }
}

/**
 * A notice about what only a transaction knows: its text may refer to whom and what it is given, and to nothing
 * else. Keep the text short: it is rendered at once.
 */
export function speakOf(speaker: Speaker, text: string, known: Known): Notice {
  const content = normalizeContent(text)
  const settings = { ...renderingSettingsOf(speaker.realm, null), showsPreviews: false }
  return { ...speaker, content, rendered: renderMarkdown(content, createDirectory(known), settings) }
}

/**
 * Prepares what the organization's own actor says; do it before opening a transaction. Nobody is flagged by a
 * notice, so mention people silently in it.
 */
export async function prepareNotice(context: Context, realmId: number, text: string): Promise<Notice> {
  const speaker = await findSpeaker(context, realmId)
  const content = normalizeContent(text)
  const author = { userId: speaker.sender.user_id, realmId, role: speaker.sender.role }
  return { ...speaker, content, rendered: await renderContent(context, author, content) }
}

/**
 * Stores a notice in a channel and tells of it, in the transaction of what it is about; returns its ID. Locks the
 * channel's place. `topic` is stored as it is.
 */
export function storeChannelNotice(
  tx: Tx,
  notice: Notice,
  to: {
    readonly channel: Pick<Channel, 'id' | 'name' | 'recipientId' | 'inviteOnly'>
    readonly topic: string
    readonly requestId: string | null
    /** Subscribers to whom it is no news: whoever caused it. */
    readonly readerIds?: readonly number[]
  },
): Promise<number> {
  const { channel, topic, requestId, readerIds = [] } = to
  return store(tx, requestId, {
    ...draftOf(notice),
    readerIds: [notice.sender.user_id, ...readerIds],
    recipientId: channel.recipientId,
    place: { channel },
    topic,
    isPublicChannel: !channel.inviteOnly,
  })
}

/** Stores a notice for one user and tells of it, in the transaction of what it is about; returns its ID. */
export async function storeDirectNotice(
  tx: Tx,
  notice: Notice,
  to: { readonly user: KnownUser; readonly requestId: string | null },
): Promise<number> {
  const { sender, realm } = notice
  const sortedIds = [sender.user_id, to.user.user_id].sort((a, b) => a - b)
  const { recipientId } = await ensureConversation(tx, realm.realm_id, sortedIds)
  return store(tx, to.requestId, {
    ...draftOf(notice),
    recipientId,
    place: { users: [sender, to.user] },
    topic: '',
    isPublicChannel: false,
  })
}

function draftOf(notice: Notice) {
  return {
    ...notice,
    client: CLIENT,
    echo: null,
    readerIds: [notice.sender.user_id],
    reached: { mentionedUserIds: [], alertedUserIds: [] },
    participantIds: [],
  }
}

function store(tx: Tx, requestId: string | null, draft: Draft): Promise<number> {
  const { message, announced } = composeMessage(draft)
  return storeMessage(tx, message, announceMessage(announced, requestId))
}

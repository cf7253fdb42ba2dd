import type { RealmFacts } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import type { Channel } from '../channels/channel.queries.ts'
import type { Context } from '../context.ts'
import type { KnownUser } from '../directory/directory.ts'
import type { Rendered } from '../rendering/render-markdown.ts'
import { announceMessage } from './announce-message.ts'
import { composeMessage, type Draft } from './compose-message.ts'
import { normalizeContent } from './content.rules.ts'
import { ensureConversation } from './ensure-conversation.ts'
import { renderContent } from './render-content.ts'
import { storeMessage } from './store-message.queries.ts'

/** Name of the client program under which the organization's own actor writes. */
const CLIENT = 'Internal'

/** Something that the organization's own actor has to say, ready to be stored. */
export interface Notice {
  readonly sender: KnownUser
  readonly realm: RealmFacts
  readonly content: string
  readonly rendered: Rendered
  readonly sentAt: Date
}

/**
 * Prepares what the organization's own actor says; do it before opening a transaction. Nobody is flagged by a
 * notice, so mention people silently in it.
 */
export async function prepareNotice(context: Context, realmId: number, text: string): Promise<Notice> {
  const [sender, realm] = await Promise.all([
    context.directory.getSystemBot(realmId),
    context.directory.getRealm(realmId),
  ])
  const content = normalizeContent(text)
  const author = { userId: sender.user_id, realmId, role: sender.role }
  const rendered = await renderContent(context, author, content)
  return { sender, realm, content, rendered, sentAt: context.now() }
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
    /** Subscribers for whom it is born read. */
    readonly readerIds?: readonly number[]
  },
): Promise<number> {
  const { channel, topic, requestId, readerIds = [] } = to
  const draft = draftOf(notice)
  return store(tx, requestId, {
    ...draft,
    readerIds: [...draft.readerIds, ...readerIds],
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
  return store(tx, to.requestId, {
    ...draftOf(notice),
    recipientId: await ensureConversation(tx, realm.realm_id, sortedIds),
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
    mentionedUserIds: [],
    alertedUserIds: [],
    participantIds: [],
  }
}

function store(tx: Tx, requestId: string | null, draft: Draft): Promise<number> {
  const { message, announced } = composeMessage(draft)
  return storeMessage(tx, message, announceMessage(announced, requestId))
}

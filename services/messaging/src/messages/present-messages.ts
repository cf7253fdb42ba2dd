import {
  type EditHistoryEntry,
  historyVisibilityOf,
  type MessageFlag,
  type MessageRecord,
  showsEdits,
  topicNameFor,
} from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findInvisibleIds, presentInvisibleUser } from '../kernel/guest-visibility/visible-users.ts'
import type { MessageView } from '../kernel/messages/message-view.queries.ts'
import { flagsOf } from '../kernel/messages/message-view.rules.ts'
import { historyWithinLimit, shownHistory } from '../kernel/messages/shown-history.rules.ts'
import type { ShownUser } from '../kernel/projections/projection-reader.ts'
import type { Reader } from '../kernel/spectators/reader.ts'
import { showToSpectator } from '../kernel/spectators/shown-user.rules.ts'
import { listReactions } from '../reactions/reaction.queries.ts'
import { listSubmessages } from '../submessages/submessage.queries.ts'
import { describeMessage } from './message-record.ts'

export type PresentedMessage = MessageRecord & { flags: MessageFlag[] }

interface Presentation {
  /** HTML rather than the raw text. */
  readonly applyMarkdown: boolean
  /** Leaves out avatars that the client computes from the e-mail. */
  readonly clientGravatar: boolean
  /** The client knows that topics may be empty; otherwise the empty topic has its name. */
  readonly knowsEmptyTopics: boolean
}

type Viewer = Pick<Caller, 'userId' | 'realmId' | 'role' | 'channelIds'> &
  Partial<Pick<Reader, 'isSpectator'>>

/**
 * Whether message records contain earlier versions; if not, they needn't be read. Spectators never get them: an
 * earlier version may have been written in a channel that is not web-public.
 */
export async function showsHistory(
  { projections }: Pick<Context, 'projections'>,
  { realmId, isSpectator = false }: Pick<Viewer, 'realmId' | 'isSpectator'>,
): Promise<boolean> {
  return !isSpectator && showsEdits(historyVisibilityOf(await projections.getRealm(realmId)))
}

/** Builds message records with the viewer's flags, as fetching returns them. */
export async function presentMessages(
  { db, projections }: Pick<Context, 'db' | 'projections'>,
  viewer: Viewer,
  views: readonly MessageView[],
  { applyMarkdown, clientGravatar, knowsEmptyTopics }: Presentation,
): Promise<PresentedMessage[]> {
  const messageIds = views.map(({ id }) => id)
  const [realm, reactions, submessages] = await Promise.all([
    projections.getRealm(viewer.realmId),
    listReactions(db, messageIds),
    listSubmessages(db, messageIds),
  ])
  const visibility = historyVisibilityOf(realm)
  const userOf = await findUsersOf({ db, projections }, viewer, views)
  const reactionsOf = Map.groupBy(reactions, ({ messageId }) => messageId)
  const submessagesOf = Map.groupBy(submessages, ({ message_id }) => message_id)
  return views.map((view) => {
    const { channel } = view
    const sender = userOf(view.senderId)
    const target = channel ? { channel } : { users: (view.userIds ?? []).map(userOf) }
    const record = describeMessage(view, target, sender, realm)
    const editHistory = shownHistory(historyWithinLimit(viewer, view.editHistory ?? []), visibility)
    return {
      id: view.id,
      ...record,
      subject: shownTopicOf(view, knowsEmptyTopics),
      // Not needed to show a message.
      client: viewer.isSpectator ? '' : record.client,
      reactions: (reactionsOf.get(view.id) ?? []).map(({ messageId: _, userId, ...emoji }) => ({
        ...emoji,
        user_id: userId,
      })),
      submessages: submessagesOf.get(view.id) ?? [],
      content: (applyMarkdown ? view.html : view.raw) ?? '',
      content_type: applyMarkdown ? 'text/html' : 'text/x-markdown',
      avatar_url: clientGravatar && sender.is_gravatar ? null : record.avatar_url,
      ...(view.lastEditTimestamp === null ? {} : { last_edit_timestamp: view.lastEditTimestamp }),
      ...(view.lastMovedTimestamp === null ? {} : { last_moved_timestamp: view.lastMovedTimestamp }),
      ...(editHistory.length > 0
        ? { edit_history: editHistory.map((entry) => withTopicNames(entry, knowsEmptyTopics)) }
        : {}),
      flags: flagsOf(view),
    }
  })
}

/** Finds the senders and recipients of messages, as the viewer sees them. */
export async function findUsersOf(
  { db, projections }: Pick<Context, 'db' | 'projections'>,
  viewer: Viewer,
  views: readonly MessageView[],
): Promise<(userId: number) => ShownUser> {
  const realm = await projections.getRealm(viewer.realmId)
  const shownIds = new Set(views.flatMap(({ senderId, userIds }) => [senderId, ...(userIds ?? [])]))
  const users = await projections.findUsersByIds(viewer.realmId, [...shownIds])
  const unknown = await findInvisibleIds(db, realm, viewer, users.values())
  const knownOf = (userId: number) =>
    unknown.has(userId) ? presentInvisibleUser(userId, realm) : (users.get(userId) ?? unknownUser(userId))
  return (userId) => (viewer.isSpectator ? showToSpectator(knownOf(userId), realm) : knownOf(userId))
}

/** The topic of a message as its reader gets it; empty for a direct message. */
export function shownTopicOf(
  { topic, channel }: Pick<MessageView, 'topic' | 'channel'>,
  knowsEmptyTopics: boolean,
): string {
  return channel ? topicNameFor(topic, knowsEmptyTopics) : topic
}

/** An entry of an edit history, or a version, with its topics as its reader gets them. */
export function withTopicNames<T extends Pick<EditHistoryEntry, 'topic' | 'prev_topic'>>(
  entry: T,
  knowsEmptyTopics: boolean,
): T {
  if (knowsEmptyTopics) return entry
  const { topic, prev_topic } = entry
  return {
    ...entry,
    ...(topic === undefined ? {} : { topic: topicNameFor(topic, false) }),
    ...(prev_topic === undefined ? {} : { prev_topic: topicNameFor(prev_topic, false) }),
  }
}

/** Placeholder for a user who is unknown here and to the users service. The user's messages stay readable. */
function unknownUser(userId: number): ShownUser {
  return {
    user_id: userId,
    email: `user${userId}@unknown.invalid`,
    full_name: 'Unknown user',
    avatar_url: '',
    is_gravatar: true,
  }
}

import type { Queryable } from '@tms/service-kit'
import { listConversationUsers, listMentionedIds, listUnread, type UnreadMessage } from './unread.queries.ts'
import { summarizeUnread, type UnreadSummary } from './unread.rules.ts'

/** Maximum of unread messages that are listed, the newest. */
export const MAX_UNREAD = 50_000

/**
 * First range of IDs, and its growth. A user who was absent for years has gaps with millions of messages;
 * searching backwards step by step finds the newest without reading the others.
 */
const FIRST_WINDOW = 250_000
const WINDOW_GROWTH = 16

/** Finds the unread messages of a user, given the ID of the newest message that the user may have. */
export async function findUnread(
  db: Queryable,
  userId: number,
  maxMessageId: number,
): Promise<UnreadSummary> {
  const messages = await listNewestUnread(db, userId, maxMessageId)
  const direct = new Set(messages.filter((one) => one.channelId === null).map((one) => one.recipientId))
  const conversations = direct.size > 0 ? await listConversationUsers(db, [...direct]) : new Map()
  const oldest = messages.at(-1)
  const mentioned = oldest ? await listMentionedIds(db, userId, oldest.id) : []
  return summarizeUnread({
    userId,
    messages,
    conversations,
    mentionedIds: new Set(mentioned),
    limit: MAX_UNREAD,
  })
}

async function listNewestUnread(
  db: Queryable,
  userId: number,
  maxMessageId: number,
): Promise<UnreadMessage[]> {
  const messages: UnreadMessage[] = []
  let untilId = maxMessageId
  for (let window = FIRST_WINDOW; untilId > 0; window *= WINDOW_GROWTH) {
    const afterId = Math.max(0, untilId - window)
    const limit = MAX_UNREAD - messages.length
    for (const message of await listUnread(db, { userId, afterId, untilId, limit })) messages.push(message)
    if (messages.length === MAX_UNREAD) break
    untilId = afterId
  }
  return messages
}

import type { Queryable } from '@tms/service-kit'
import { listConversationUsers, listMentionedIds, listUnread, type UnreadMessage } from './unread.queries.ts'
import { summarizeUnread, type UnreadSummary } from './unread.rules.ts'

/** Only this many unread messages are told of, the newest. */
export const MAX_UNREAD = 50_000

/**
 * IDs looked at first, and by how much more each time. Someone who has been away for years has gaps with
 * millions of messages; looking back step by step, the newest are found without reading the others.
 */
const FIRST_WINDOW = 250_000
const WINDOW_GROWTH = 16

/** What a user has not read, given the ID of the newest message that they can have. */
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

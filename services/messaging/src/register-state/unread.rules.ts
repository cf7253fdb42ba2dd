import { countsAsMention } from '../kernel/messages/message-view.rules.ts'
import type { UnreadMessage } from './unread.queries.ts'

/** `unread_msgs` of the register response. */
export interface UnreadSummary {
  readonly count: number
  readonly pms: readonly { other_user_id: number; sender_id: number; unread_message_ids: number[] }[]
  readonly streams: readonly { stream_id: number; topic: string; unread_message_ids: number[] }[]
  readonly huddles: readonly { user_ids_string: string; unread_message_ids: number[] }[]
  readonly mentions: readonly number[]
  readonly old_unreads_missing: boolean
}

/**
 * Groups unread messages by conversation and topic. `messages` are newest first; `conversations` are the members
 * of each direct conversation, ascending; `limit` is the maximum number of messages that was read.
 */
export function summarizeUnread(found: {
  readonly userId: number
  readonly messages: readonly UnreadMessage[]
  readonly conversations: ReadonlyMap<number, readonly number[]>
  readonly mentionedIds: ReadonlySet<number>
  readonly limit: number
}): UnreadSummary {
  const { userId, messages, conversations, mentionedIds } = found
  const topics = new Map<string, { stream_id: number; topic: string; unread_message_ids: number[] }>()
  const direct = new Map<number, number[]>()
  const mentions: number[] = []
  let count = 0

  for (const message of messages.toReversed()) {
    if (!message.isMuted) count++
    const isMentioned = mentionedIds.has(message.id)
    const isWildcard = message.mentionsChannel || message.mentionsOwnTopic
    if (countsAsMention({ isMentioned, isWildcard, isMuted: message.isMuted })) mentions.push(message.id)

    if (message.channelId === null) {
      append(direct, message.recipientId, message.id)
      continue
    }
    const key = `${message.channelId} ${message.topic.toLowerCase()}`
    const topic = topics.get(key)
    if (topic) {
      // Ascending, so the latest spelling wins.
      topic.topic = message.topic
      topic.unread_message_ids.push(message.id)
    } else {
      topics.set(key, {
        stream_id: message.channelId,
        topic: message.topic,
        unread_message_ids: [message.id],
      })
    }
  }

  const conversationLists = [...direct].map(([recipientId, ids]) => ({
    users: conversations.get(recipientId) ?? [],
    ids,
  }))
  return {
    count,
    pms: conversationLists
      .filter(({ users }) => users.length <= 2)
      .map(({ users, ids }) => {
        const other = users.find((id) => id !== userId) ?? userId
        return { other_user_id: other, sender_id: other, unread_message_ids: ids }
      })
      .sort((a, b) => a.other_user_id - b.other_user_id),
    streams: [...topics.values()].sort(
      (a, b) => a.stream_id - b.stream_id || compare(a.topic.toLowerCase(), b.topic.toLowerCase()),
    ),
    huddles: conversationLists
      .filter(({ users }) => users.length > 2)
      .map(({ users, ids }) => ({ user_ids_string: users.join(','), unread_message_ids: ids }))
      .sort((a, b) => compare(a.user_ids_string, b.user_ids_string)),
    mentions,
    old_unreads_missing: messages.length === found.limit,
  }
}

function append(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

import { describe, expect, test } from 'vitest'
import type { UnreadMessage } from './unread.queries.ts'
import { summarizeUnread } from './unread.rules.ts'

const ME = 5
const aMessage = (fields: Partial<UnreadMessage> & { id: number }): UnreadMessage => ({
  recipientId: 1,
  channelId: 7,
  isMuted: false,
  topic: 'lunch',
  mentionsChannel: false,
  mentionsOwnTopic: false,
  ...fields,
})
const summarize = (
  messages: UnreadMessage[],
  options: { conversations?: Map<number, number[]>; mentioned?: number[]; limit?: number } = {},
) =>
  summarizeUnread({
    userId: ME,
    messages: messages.toSorted((a, b) => b.id - a.id),
    conversations: options.conversations ?? new Map(),
    mentionedIds: new Set(options.mentioned ?? []),
    limit: options.limit ?? 100,
  })

describe('summarizeUnread', () => {
  test('returns empty lists if nothing is unread', () => {
    expect(summarize([])).toEqual({
      count: 0,
      pms: [],
      streams: [],
      huddles: [],
      mentions: [],
      old_unreads_missing: false,
    })
  })

  test('merges the spellings of a topic under the latest, and sorts by channel', () => {
    const summary = summarize([
      aMessage({ id: 1, channelId: 9 }),
      aMessage({ id: 2, topic: 'LUNCH' }),
      aMessage({ id: 3, topic: 'Lunch' }),
      aMessage({ id: 4, topic: 'dinner' }),
    ])
    expect(summary.streams).toEqual([
      { stream_id: 7, topic: 'dinner', unread_message_ids: [4] },
      { stream_id: 7, topic: 'Lunch', unread_message_ids: [2, 3] },
      { stream_id: 9, topic: 'lunch', unread_message_ids: [1] },
    ])
  })

  test('lists muted channels without counting them', () => {
    const summary = summarize([aMessage({ id: 1, isMuted: true }), aMessage({ id: 2 })])
    expect(summary.count).toBe(1)
    expect(summary.streams[0]?.unread_message_ids).toEqual([1, 2])
  })

  test('groups direct messages by the other user, oneself, or the group', () => {
    const direct = { channelId: null, topic: '' }
    const summary = summarize(
      [
        aMessage({ id: 1, recipientId: 100, ...direct }),
        aMessage({ id: 2, recipientId: 101, ...direct }),
        aMessage({ id: 3, recipientId: 102, ...direct }),
      ],
      {
        conversations: new Map([
          [100, [ME]],
          [101, [3, ME]],
          [102, [3, ME, 11]],
        ]),
      },
    )
    expect(summary.pms).toEqual([
      { other_user_id: 3, sender_id: 3, unread_message_ids: [2] },
      { other_user_id: ME, sender_id: ME, unread_message_ids: [1] },
    ])
    expect(summary.huddles).toEqual([{ user_ids_string: '3,5,11', unread_message_ids: [3] }])
    expect(summary.count).toBe(3)
  })

  test('mentions by name always count, wildcard mentions only where nothing is muted', () => {
    const summary = summarize(
      [
        aMessage({ id: 1, isMuted: true }),
        aMessage({ id: 2, isMuted: true, mentionsChannel: true }),
        aMessage({ id: 3, mentionsChannel: true }),
        aMessage({ id: 4, mentionsOwnTopic: true }),
        aMessage({ id: 5 }),
      ],
      { mentioned: [1] },
    )
    expect(summary.mentions).toEqual([1, 3, 4])
  })

  test('reports that older ones were left out', () => {
    expect(summarize([aMessage({ id: 1 }), aMessage({ id: 2 })], { limit: 2 }).old_unreads_missing).toBe(true)
  })
})

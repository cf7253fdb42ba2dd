import { describe, expect, test } from 'vitest'
import {
  computeTopicRefresh,
  type RefreshedTopics,
  refreshParts,
  type TopicVisibility,
} from './topic-refresh.rules.ts'

const visibility = (userId: number, changes: Partial<TopicVisibility> = {}): TopicVisibility => ({
  userId,
  channelId: 1,
  name: 'a',
  isVisible: true,
  isMuting: true,
  ...changes,
})
const hidden = { isVisible: false }
const renamed = { name: 'b' }

describe('computeTopicRefresh', () => {
  test.each([
    ['nothing if nothing changed', {}, {}, { shown: [], muterIds: [] }],
    ['all topics of a channel that became visible', hidden, {}, { shown: [1], muterIds: [7] }],
    [
      'no list of muted topics for a user who mutes nothing there',
      { ...hidden, isMuting: false },
      { isMuting: false },
      { shown: [1], muterIds: [] },
    ],
    ['the list without a channel that is hidden', {}, hidden, { shown: [], muterIds: [7] }],
    ['the list with the new name', {}, renamed, { shown: [], muterIds: [7] }],
    [
      'nothing if a hidden channel is renamed',
      hidden,
      { ...hidden, ...renamed },
      { shown: [], muterIds: [] },
    ],
    [
      'the list without a channel that is renamed and hidden',
      {},
      { ...hidden, ...renamed },
      { shown: [], muterIds: [7] },
    ],
  ])('returns %s', (_, before, after, expected) => {
    const { shown, muterIds } = computeTopicRefresh([visibility(7, before)], [visibility(7, after)])

    expect({ shown: shown.map(({ channelId }) => channelId), muterIds }).toEqual(expected)
  })

  test('lists each user once', () => {
    const before = [visibility(8, hidden), visibility(7), visibility(7, { channelId: 2, ...hidden })]
    const after = [visibility(8), visibility(7, renamed), visibility(7, { channelId: 2 })]

    const { shown, muterIds } = computeTopicRefresh(before, after)

    expect(shown.map(({ userId, channelId }) => [userId, channelId])).toEqual([
      [8, 1],
      [7, 2],
    ])
    expect(muterIds).toEqual([7, 8])
  })
})

describe('refreshParts', () => {
  const topics = (count: number): RefreshedTopics['shown'] =>
    Array.from({ length: count }, (_, index) => ({
      stream_id: 1,
      topic_name: `${index}`,
      visibility_policy: 3,
      last_updated: 0,
    }))
  const sizesOf = (parts: readonly RefreshedTopics[][]) =>
    parts.map((users) =>
      users.map(({ user_id, shown, muted_topics }) => [user_id, shown.length, muted_topics?.length ?? null]),
    )

  test('combines users into events, and makes none for no users', () => {
    const users = [1, 2, 3].map((user_id) => ({ user_id, shown: topics(400), muted_topics: [] }))

    expect(refreshParts([])).toEqual([])
    expect(sizesOf(refreshParts(users))).toEqual([
      [
        [1, 400, 0],
        [2, 400, 0],
      ],
      [[3, 400, 0]],
    ])
  })

  test('divides the topics of a user with very many, in order, the list of muted topics first', () => {
    const parts = refreshParts([{ user_id: 1, shown: topics(2_500), muted_topics: [['a', 'x', 0]] }])

    expect(sizesOf(parts)).toEqual([[[1, 1_000, 1]], [[1, 1_000, null]], [[1, 500, null]]])
    expect(parts.flat().flatMap(({ shown }) => shown)).toEqual(topics(2_500))
  })
})

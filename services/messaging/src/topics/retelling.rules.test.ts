import { describe, expect, test } from 'vitest'
import { type RefreshedTopics, refreshParts, retellingOf, type TopicSight } from './retelling.rules.ts'

const sight = (userId: number, changes: Partial<TopicSight> = {}): TopicSight => ({
  userId,
  channelId: 1,
  name: 'a',
  isInSight: true,
  isMuting: true,
  ...changes,
})
const hidden = { isInSight: false }
const renamed = { name: 'b' }

describe('what is told anew of topics', () => {
  test.each([
    ['nothing where nothing changed', {}, {}, { shown: [], muterIds: [] }],
    ['all of a channel that came into sight', hidden, {}, { shown: [1], muterIds: [7] }],
    [
      'of who mutes nothing there, no list',
      { ...hidden, isMuting: false },
      { isMuting: false },
      { shown: [1], muterIds: [] },
    ],
    ['the list without a channel that is hidden', {}, hidden, { shown: [], muterIds: [7] }],
    ['the list with the new name', {}, renamed, { shown: [], muterIds: [7] }],
    [
      'nothing of a new name that stays hidden',
      hidden,
      { ...hidden, ...renamed },
      { shown: [], muterIds: [] },
    ],
    [
      'nothing of a name that goes out of sight with it, but that it is gone',
      {},
      { ...hidden, ...renamed },
      { shown: [], muterIds: [7] },
    ],
  ])('is %s', (_, before, after, expected) => {
    const { shown, muterIds } = retellingOf([sight(7, before)], [sight(7, after)])

    expect({ shown: shown.map(({ channelId }) => channelId), muterIds }).toEqual(expected)
  })

  test('is for each user once, by what became of each channel', () => {
    const before = [sight(8, hidden), sight(7), sight(7, { channelId: 2, ...hidden })]
    const after = [sight(8), sight(7, renamed), sight(7, { channelId: 2 })]

    const { shown, muterIds } = retellingOf(before, after)

    expect(shown.map(({ userId, channelId }) => [userId, channelId])).toEqual([
      [8, 1],
      [7, 2],
    ])
    expect(muterIds).toEqual([7, 8])
  })
})

describe('the events that tell it', () => {
  const topics = (count: number): RefreshedTopics['shown'] =>
    Array.from({ length: count }, (_, at) => ({
      stream_id: 1,
      topic_name: `${at}`,
      visibility_policy: 3,
      last_updated: 0,
    }))
  const sizesOf = (parts: readonly RefreshedTopics[][]) =>
    parts.map((users) =>
      users.map(({ user_id, shown, muted_topics }) => [user_id, shown.length, muted_topics?.length ?? null]),
    )

  test('hold many users, none of them for none', () => {
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

  test('share the topics of one who has very many, in order, the list first', () => {
    const parts = refreshParts([{ user_id: 1, shown: topics(2_500), muted_topics: [['a', 'x', 0]] }])

    expect(sizesOf(parts)).toEqual([[[1, 1_000, 1]], [[1, 1_000, null]], [[1, 500, null]]])
    expect(parts.flat().flatMap(({ shown }) => shown)).toEqual(topics(2_500))
  })
})

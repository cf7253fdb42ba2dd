import { describe, expect, test } from 'vitest'
import { canChangePolicy, nextVisibility, type TopicActivity } from './visibility.rules.ts'

const [none, muted, unmuted, followed] = [0, 1, 2, 3]
const stays = null

const settings = {
  automatically_follow_topics_policy: 4,
  automatically_unmute_topics_in_muted_streams_policy: 4,
  automatically_follow_topics_where_mentioned: false,
}

describe('an activity of a user in a topic', () => {
  const after = (
    activity: TopicActivity,
    follow: number,
    unmute: number,
    current: number,
    isChannelMuted = false,
  ) =>
    nextVisibility(
      {
        is_bot: false,
        settings: {
          ...settings,
          automatically_follow_topics_policy: follow,
          automatically_unmute_topics_in_muted_streams_policy: unmute,
        },
      },
      activity,
      { current, isChannelMuted },
    )

  // Policies: 1 on participation, 2 on sending, 3 on starting a topic, 4 never.
  test.each([
    ['participate', 1, followed],
    ['participate', 2, stays],
    ['participate', 3, stays],
    ['participate', 4, stays],
    ['send', 1, followed],
    ['send', 2, followed],
    ['send', 3, stays],
    ['send', 4, stays],
    ['start', 1, followed],
    ['start', 2, followed],
    ['start', 3, followed],
    ['start', 4, stays],
  ] as const)('%s, with following at %i: %s', (activity, policy, expected) => {
    expect(after(activity, policy, 4, none)).toBe(expected)
  })

  test.each([
    ['participate', 1, unmuted],
    ['participate', 2, stays],
    ['send', 1, unmuted],
    ['send', 2, unmuted],
    ['send', 3, stays],
    ['start', 3, unmuted],
    ['start', 4, stays],
  ] as const)('%s in a muted channel, with unmuting at %i: %s', (activity, policy, expected) => {
    expect(after(activity, 4, policy, none, true)).toBe(expected)
    expect(after(activity, 4, policy, none, false)).toBe(stays)
  })

  test.each([
    [none, followed, unmuted],
    [muted, followed, unmuted],
    [unmuted, followed, stays],
    [followed, stays, stays],
  ])('from %i: following gives %s, unmuting %s', (current, byFollowing, byUnmuting) => {
    expect(after('send', 2, 4, current, true)).toBe(byFollowing)
    expect(after('send', 4, 2, current, true)).toBe(byUnmuting)
  })

  test('makes the user follow rather than unmute', () => {
    expect(after('send', 2, 2, none, true)).toBe(followed)
  })

  test('has no effect if the user is a bot', () => {
    const bot = { is_bot: true, settings: { ...settings, automatically_follow_topics_policy: 1 } }
    expect(nextVisibility(bot, 'start', { current: none, isChannelMuted: true })).toBe(stays)
  })
})

test.each([
  ['a human who wants it', none, true, false, followed],
  ['a human who unmuted the topic', unmuted, true, false, followed],
  ['a human who muted the topic', muted, true, false, stays],
  ['a human who follows it already', followed, true, false, stays],
  ['a human who does not want it', none, false, false, stays],
  ['a bot', none, true, true, stays],
])('being mentioned makes %s follow (%i, %s, %s): %s', (_, current, wanted, is_bot, expected) => {
  const user = { is_bot, settings: { ...settings, automatically_follow_topics_where_mentioned: wanted } }
  expect(nextVisibility(user, 'mentioned', { current, isChannelMuted: false })).toBe(expected)
})

test.each([
  ['participate', 2, 2, false],
  ['participate', 4, 1, true],
  ['send', 3, 2, true],
  ['start', 3, 4, true],
  ['start', 4, 4, false],
] as const)('%s can change something with %i and %i: %s', (activity, follow, unmute, expected) => {
  const user = {
    is_bot: false,
    settings: {
      ...settings,
      automatically_follow_topics_policy: follow,
      automatically_unmute_topics_in_muted_streams_policy: unmute,
    },
  }
  expect(canChangePolicy(user, activity)).toBe(expected)
})

import { describe, expect, test } from '@jest/globals'
import { type Act, followsWhenMentioned, nextVisibility } from './visibility.rules.ts'

const [none, muted, unmuted, followed] = [0, 1, 2, 3]
const stays = null

describe('what someone does in a topic', () => {
  const after = (act: Act, follow: number, unmute: number, current: number, isChannelMuted = false) =>
    nextVisibility(
      {
        is_bot: false,
        settings: {
          automatically_follow_topics_policy: follow,
          automatically_unmute_topics_in_muted_streams_policy: unmute,
        },
      },
      act,
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
  ] as const)('%s, with following at %i: %s', (act, policy, expected) => {
    expect(after(act, policy, 4, none)).toBe(expected)
  })

  test.each([
    ['participate', 1, unmuted],
    ['participate', 2, stays],
    ['send', 1, unmuted],
    ['send', 2, unmuted],
    ['send', 3, stays],
    ['start', 3, unmuted],
    ['start', 4, stays],
  ] as const)('%s in a muted channel, with unmuting at %i: %s', (act, policy, expected) => {
    expect(after(act, 4, policy, none, true)).toBe(expected)
    expect(after(act, 4, policy, none, false)).toBe(stays)
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

  test('makes them follow rather than unmute', () => {
    expect(after('send', 2, 2, none, true)).toBe(followed)
  })

  test('does not count when they are a bot', () => {
    const settings = {
      automatically_follow_topics_policy: 1,
      automatically_unmute_topics_in_muted_streams_policy: 1,
    }
    expect(nextVisibility({ is_bot: true, settings }, 'start', { current: none, isChannelMuted: true })).toBe(
      stays,
    )
  })
})

test.each([
  ['a human who wants it', none, true, false, true],
  ['a human who unmuted the topic', unmuted, true, false, true],
  ['a human who muted the topic', muted, true, false, false],
  ['a human who follows it already', followed, true, false, false],
  ['a human who does not want it', none, false, false, false],
  ['a bot', none, true, true, false],
])('being mentioned makes %s follow (%i, %s, %s): %s', (_, current, wanted, is_bot, expected) => {
  const settings = { automatically_follow_topics_where_mentioned: wanted }
  expect(followsWhenMentioned({ is_bot, settings }, current)).toBe(expected)
})

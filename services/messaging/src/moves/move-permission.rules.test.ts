import { Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { checkMoveInTime, isInTime, moveLimitOf, permissionsFor } from './move-permission.rules.ts'

const NOW = 1_800_000_000_000
const ago = (seconds: number) => NOW - seconds * 1000
const realm = {
  move_messages_within_stream_limit_seconds: 1_000 as number | null,
  move_messages_between_streams_limit_seconds: 500 as number | null,
}

test.each([
  [['topic'], ['can_move_messages_between_topics_group']],
  [['channel'], ['can_move_messages_between_channels_group']],
  [
    ['topic', 'channel'],
    ['can_move_messages_between_topics_group', 'can_move_messages_between_channels_group'],
  ],
  [['topic', 'resolves'], ['can_resolve_topics_group']],
])('a move that changes %j needs %j', (changes, expected) => {
  const kind = {
    changesTopic: changes.includes('topic'),
    changesChannel: changes.includes('channel'),
    resolves: changes.includes('resolves'),
  }
  expect(permissionsFor(kind).map(({ name }) => name)).toEqual(expected)
})

describe('the time limit of a move', () => {
  test.each([
    ['member', Role.member, true, false, 1_000],
    ['member', Role.member, false, true, 500],
    ['member', Role.member, true, true, 500],
    ['guest', Role.guest, true, false, 1_000],
    ['moderator', Role.moderator, true, true, null],
    ['administrator', Role.administrator, true, true, null],
  ] as const)('%s (%s), topic %s, channel %s: %s s', (_, role, changesTopic, changesChannel, expected) => {
    expect(moveLimitOf(realm, { role }, { changesTopic, changesChannel, resolves: false })).toBe(expected)
  })

  test('is the stricter one where only one is set', () => {
    const settings = { ...realm, move_messages_between_streams_limit_seconds: null }
    const kind = { changesTopic: true, changesChannel: true, resolves: false }
    expect(moveLimitOf(settings, { role: Role.member }, kind)).toBe(1_000)
  })

  test('does not apply to resolving a topic', () => {
    const kind = { changesTopic: true, changesChannel: false, resolves: true }
    expect(moveLimitOf(realm, { role: Role.guest }, kind)).toBeNull()
  })

  test('has a grace of 20 s', () => {
    expect(isInTime(500, ago(520), NOW)).toBe(true)
    expect(isInTime(500, ago(520.001), NOW)).toBe(false)
    expect(isInTime(null, 0, NOW)).toBe(true)
  })
})

describe('checkMoveInTime', () => {
  const topic = [
    { id: 11, sentAtMs: ago(900) },
    { id: 12, sentAtMs: ago(300) },
    { id: 15, sentAtMs: ago(10) },
  ]
  const timing = { sentAtMs: ago(300), topic, nowMs: NOW }

  test('rejects a message that is too old', () => {
    expect(() => checkMoveInTime(200, timing)).toThrow('time limit')
  })

  test('rejects a whole topic with messages that are too old, and says what may move', () => {
    expect(() => checkMoveInTime(500, timing)).toThrow(
      expect.objectContaining({
        code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
        details: {
          first_message_id_allowed_to_move: 12,
          total_messages_in_topic: 3,
          total_messages_allowed_to_move: 2,
        },
      }),
    )
  })

  test.each([
    ['a part of the topic', 500, null],
    ['all of a young topic', 1_000, topic],
    ['anything without a limit', null, topic],
  ])('accepts %s', (_, limit, moved) => {
    expect(() => checkMoveInTime(limit, { ...timing, topic: moved })).not.toThrow()
  })
})

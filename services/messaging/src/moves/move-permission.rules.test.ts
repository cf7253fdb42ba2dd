import { AppError, Policy, Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { checkMayMove, checkMoveInTime, isInTime, moveLimitOf } from './move-permission.rules.ts'

const NOW = 1_800_000_000_000
const ago = (seconds: number) => NOW - seconds * 1000
const realm = {
  edit_topic_policy: Policy.everyone as number,
  move_messages_between_streams_policy: Policy.members as number,
  move_messages_within_stream_limit_seconds: 1_000 as number | null,
  move_messages_between_streams_limit_seconds: 500 as number | null,
}
const allows = (check: () => void): boolean => {
  try {
    check()
    return true
  } catch (err) {
    expect(err).toBeInstanceOf(AppError)
    return false
  }
}

describe('who may move messages', () => {
  const users = {
    guest: { role: Role.guest, isFullMember: false },
    'new member': { role: Role.member, isFullMember: false },
    'full member': { role: Role.member, isFullMember: true },
    moderator: { role: Role.moderator, isFullMember: true },
    administrator: { role: Role.administrator, isFullMember: true },
    owner: { role: Role.owner, isFullMember: true },
  } as const
  const everyone = Object.keys(users) as (keyof typeof users)[]
  test.each([
    ['everyone', Policy.everyone, everyone],
    ['members', Policy.members, everyone.slice(1)],
    ['full members', Policy.fullMembers, everyone.slice(2)],
    ['moderators', Policy.moderators, everyone.slice(3)],
    ['administrators', Policy.administrators, everyone.slice(4)],
    ['owners', Policy.owners, everyone.slice(5)],
    ['nobody', Policy.nobody, []],
  ] as const)('policy %s', (_, policy, allowed) => {
    const topic = { changesTopic: true, changesChannel: false }
    const channel = { changesTopic: false, changesChannel: true }
    const mayBy = (setting: object, kind: typeof topic) =>
      everyone.filter((name) => allows(() => checkMayMove({ ...realm, ...setting }, users[name], kind)))

    expect(mayBy({ edit_topic_policy: policy }, topic)).toEqual(allowed)
    expect(mayBy({ move_messages_between_streams_policy: policy }, channel)).toEqual(allowed)
  })

  test('both policies apply to a move that changes both', () => {
    const kind = { changesTopic: true, changesChannel: true }
    const nobody = Policy.nobody
    expect(allows(() => checkMayMove(realm, users.guest, kind))).toBe(false)
    expect(allows(() => checkMayMove({ ...realm, edit_topic_policy: nobody }, users.owner, kind))).toBe(false)
  })
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
    expect(moveLimitOf(realm, { role }, { changesTopic, changesChannel })).toBe(expected)
  })

  test('is the stricter one where only one is set', () => {
    const settings = { ...realm, move_messages_between_streams_limit_seconds: null }
    const kind = { changesTopic: true, changesChannel: true }
    expect(moveLimitOf(settings, { role: Role.member }, kind)).toBe(1_000)
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

import { Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { visibilityChangesOf } from './visibility-changes.rules.ts'

const OPEN = { id: 1, inviteOnly: false, isWebPublic: false }
const PRIVATE = { id: 2, inviteOnly: true, isWebPublic: false }
const WEB_PUBLIC = { id: 3, inviteOnly: false, isWebPublic: true }
const pairsOf = (userId: number) => [1, 2, 3].map((channelId) => ({ channelId, userId }))

describe('visibility changes by joining or leaving a channel', () => {
  test.each([
    ['an administrator: none', Role.administrator, []],
    ['a member: private channels', Role.member, [2]],
    ['a guest: all channels that are not web-public', Role.guest, [1, 2]],
  ])('%s', (_, role, expected) => {
    const changes = visibilityChangesOf(pairsOf(7), [OPEN, PRIVATE, WEB_PUBLIC], [{ user_id: 7, role }])

    expect(changes).toEqual(expected.map((channelId) => ({ channelId, userId: 7 })))
  })

  test('include pairs whose user or channel is unknown', () => {
    expect(visibilityChangesOf(pairsOf(7), [], [{ user_id: 7, role: Role.owner }])).toEqual(pairsOf(7))
    expect(visibilityChangesOf(pairsOf(7), [WEB_PUBLIC], [])).toEqual(pairsOf(7))
  })
})

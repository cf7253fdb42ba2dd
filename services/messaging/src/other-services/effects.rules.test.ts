import { Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { namesToUpdate, visibilityChangesOf } from './effects.rules.ts'
import { newEffects } from './effects.ts'

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

describe('channel names to update for bots', () => {
  test('are none if no name changed', () => {
    expect(namesToUpdate(newEffects())).toBeNull()
    expect(namesToUpdate({ ...newEffects(), guestVisibilityNumber: 3 })).toBeNull()
  })

  test('are those of the users who joined or left', () => {
    const visibilityChanges = [...pairsOf(7), { channelId: 1, userId: 8 }]

    expect(namesToUpdate({ ...newEffects(), visibilityChanges })).toEqual({
      stream_ids: [1, 2, 3],
      user_ids: [7, 8],
    })
  })

  test('are those of all users if a channel was changed or archived', () => {
    const visibilityChanges = [{ channelId: 1, userId: 8 }]

    for (const name of ['archivedChannelIds', 'changedChannelIds'] as const) {
      expect(namesToUpdate({ ...newEffects(), visibilityChanges, [name]: new Set([5]) })).toEqual({
        stream_ids: [5, 1],
        user_ids: null,
      })
    }
  })
})

import { describe, expect, test } from 'vitest'
import { newEffects } from '../kernel/effects/effects.ts'
import { namesToUpdate } from './channel-names.rules.ts'

const pairsOf = (userId: number) => [1, 2, 3].map((channelId) => ({ channelId, userId }))

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

import { describe, expect, test } from 'vitest'
import { groupVisibilityUpdates, MAX_USERS_PER_EVENT } from './guest-visibility.rules.ts'

const rows = (guestId: number, ...visibleUserIds: number[]) =>
  visibleUserIds.map((visibleUserId) => ({ guestId, visibleUserId }))

describe('groupVisibilityUpdates', () => {
  test('groups guests with identical changes', () => {
    const gained = [...rows(1, 8, 7), ...rows(2, 7, 8), ...rows(3, 7)]

    expect(groupVisibilityUpdates(gained, rows(3, 9))).toEqual([
      { guestIds: [1, 2], gainedIds: [7, 8], lostIds: [] },
      { guestIds: [3], gainedIds: [7], lostIds: [9] },
    ])
  })

  test('splits many changes into parts without duplicates or gaps', () => {
    const many = Array.from({ length: MAX_USERS_PER_EVENT + 1 }, (_, at) => at + 100)

    const updates = groupVisibilityUpdates(rows(1, ...many), rows(1, 5))

    expect(updates.map(({ gainedIds }) => gainedIds.length)).toEqual([MAX_USERS_PER_EVENT, 1])
    expect(updates.flatMap(({ gainedIds }) => gainedIds)).toEqual(many)
    expect(updates.flatMap(({ lostIds }) => lostIds)).toEqual([5])
  })

  test('returns nothing if nothing changed', () => {
    expect(groupVisibilityUpdates([], [])).toEqual([])
  })
})

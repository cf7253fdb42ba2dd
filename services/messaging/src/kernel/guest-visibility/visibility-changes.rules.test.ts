import { describe, expect, test } from 'vitest'
import { gainsOf, lossesOf, MAX_PAIRS, replacementsOf } from './visibility-changes.rules.ts'

const ids = (count: number, from = 0) => Array.from({ length: count }, (_, at) => from + at)

describe('changes of guest visibility', () => {
  test('cover each guest with each user, in parts that are not too large', () => {
    const [guests, users] = [ids(30), ids(MAX_PAIRS / 10, 100)]

    const parts = gainsOf(guests, users).map((part) => (part.kind === 'gained' ? part : never()))

    for (const part of parts)
      expect(part.guest_ids.length * part.user_ids.length).toBeLessThanOrEqual(MAX_PAIRS)
    expect(parts.flatMap((part) => part.guest_ids)).toEqual(guests)
    expect(parts.every((part) => part.user_ids.length === users.length)).toBe(true)
  })

  test('are none without a guest, or without users', () => {
    expect([...gainsOf([], [1]), ...gainsOf([1], []), ...lossesOf(1, [])]).toEqual([])
  })

  test('replace all visible users, even by none; the rest of a large list follows', () => {
    expect(replacementsOf(1, [])).toEqual([{ kind: 'whole', guest_id: 1, user_ids: [] }])
    expect(replacementsOf(1, ids(MAX_PAIRS + 1, 10))).toMatchObject([
      { kind: 'whole', user_ids: { length: MAX_PAIRS } },
      { kind: 'gained', guest_ids: [1], user_ids: [MAX_PAIRS + 10] },
    ])
  })
})

const never = (): never => {
  throw new Error('another kind')
}

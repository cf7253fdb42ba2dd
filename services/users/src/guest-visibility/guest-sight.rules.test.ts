import { describe, expect, test } from 'vitest'
import { MAX_TOLD, tellingsOf } from './guest-sight.rules.ts'

const rows = (guestId: number, ...seenIds: number[]) => seenIds.map((seenId) => ({ guestId, seenId }))

describe('what guests are told of their sight', () => {
  test('is told together to those for whom it is the same', () => {
    const gained = [...rows(1, 8, 7), ...rows(2, 7, 8), ...rows(3, 7)]

    expect(tellingsOf(gained, rows(3, 9))).toEqual([
      { guestIds: [1, 2], gainedIds: [7, 8], lostIds: [] },
      { guestIds: [3], gainedIds: [7], lostIds: [9] },
    ])
  })

  test('comes in parts where it is much, with nothing doubled or missing', () => {
    const many = Array.from({ length: MAX_TOLD + 1 }, (_, at) => at + 100)

    const tellings = tellingsOf(rows(1, ...many), rows(1, 5))

    expect(tellings.map(({ gainedIds }) => gainedIds.length)).toEqual([MAX_TOLD, 1])
    expect(tellings.flatMap(({ gainedIds }) => gainedIds)).toEqual(many)
    expect(tellings.flatMap(({ lostIds }) => lostIds)).toEqual([5])
  })

  test('is nothing where nothing changed', () => {
    expect(tellingsOf([], [])).toEqual([])
  })
})

import { describe, expect, test } from 'vitest'
import { BLOCK, firstLook, nextLook, partOf, worthByPlace } from './search-plan.rules.ts'

const MILLION = 1_000_000
const likely = (matches: number) => ({ matches, candidates: matches, firstId: 1, lastId: MILLION })

describe('firstLook', () => {
  test.each([
    ['a word in each message', MILLION, 1],
    ['a word in one of fifteen', 66_667, 1],
    ['a word in one of a hundred', 10_000, 4],
    ['a word in one of a thousand', 1_000, 37],
    ['a word in one of two thousand', 500, null],
    ['a rare word', 12, null],
    ['an unknown word', 0, null],
  ])('at %s', (_, matches, blocks) => {
    expect(firstLook(likely(matches), 100)).toBe(blocks)
  })

  test('at the more, the more are wanted', () => {
    expect(firstLook(likely(10_000), 1_000)).toBe(37)
  })
})

describe('nextLook', () => {
  test.each([
    ['as far as what was found promises', 2, 10, 30],
    ['much further when nearly enough were found', 5, 99, 20],
    ['not too far when hardly any were found', 2, 1, 32],
  ])('goes %s', (_, blocks, found, next) => {
    expect(nextLook(blocks, found, likely(10_000), 100)).toBe(next)
  })

  test('comes to all there are when none were found', () => {
    let blocks: number | null = 1
    const looks = []
    while (blocks !== null) {
      looks.push(blocks)
      blocks = nextLook(blocks, 0, likely(500_000), 100)
    }
    expect(looks).toEqual([1, 16])
  })
})

describe('worthByPlace', () => {
  test('is to look through fewer than a quarter of what looking everywhere takes', () => {
    expect(worthByPlace(likely(100_000))).toBe(25_000)
    expect(worthByPlace({ ...likely(12), candidates: MILLION })).toBe(250_000)
  })

  test('is nothing where that is soon done', () => {
    expect(worthByPlace(likely(2_000))).toBeNull()
  })
})

describe('partOf', () => {
  const span = { from: 0, below: Number.MAX_SAFE_INTEGER, limit: 100 }

  test('looks at the newest messages, those that come meanwhile too', () => {
    const part = partOf(span, 'older', 2, likely(MILLION))
    expect(part).toEqual({ blocks: [242, 243, 244], span: { ...span, from: 242 * BLOCK } })
  })

  test('looks at the oldest messages', () => {
    const part = partOf(span, 'newer', 2, likely(MILLION))
    expect(part).toEqual({ blocks: [0, 1, 2], span: { ...span, below: 3 * BLOCK } })
  })

  test.each([
    ['older', { ...span, below: 500_000 }, [121, 122]],
    ['newer', { ...span, from: 500_000 }, [122, 123]],
  ] as const)('%s than somewhere', (side, asked, blocks) => {
    expect(partOf(asked, side, 1, likely(MILLION))?.blocks).toEqual(blocks)
  })

  test('is not needed where the blocks cover everything', () => {
    expect(partOf(span, 'older', 244, likely(MILLION))).toBeNull()
    expect(partOf({ ...span, below: 100 }, 'older', 1, likely(MILLION))).toBeNull()
  })

  test('touches every ID of what it looks at once', () => {
    for (const side of ['older', 'newer'] as const) {
      const part = partOf({ from: 5_000, below: 900_000, limit: 1 }, side, 7, likely(MILLION))
      const ids = new Set(part?.blocks.flatMap((one) => [one * BLOCK, (one + 1) * BLOCK - 1]))
      const [from, below] = [Math.max(part?.span.from ?? 0, 5_000), Math.min(part?.span.below ?? 0, 900_000)]
      expect(Math.min(...ids)).toBeLessThanOrEqual(from)
      expect(Math.max(...ids)).toBeGreaterThanOrEqual(below - 1)
    }
  })
})

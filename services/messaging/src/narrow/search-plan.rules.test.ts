import { describe, expect, test } from 'vitest'
import {
  BLOCK,
  firstBlockCount,
  maxMessagesByRecipient,
  nextBlockCount,
  partOf,
} from './search-plan.rules.ts'

const MILLION = 1_000_000
const estimated = (matches: number) => ({ matches, candidates: matches, firstId: 1, lastId: MILLION })

describe('firstBlockCount', () => {
  test.each([
    ['a word in each message', MILLION, 1],
    ['a word in one of fifteen', 66_667, 1],
    ['a word in one of a hundred', 10_000, 4],
    ['a word in one of a thousand', 1_000, 37],
    ['a word in one of two thousand', 500, null],
    ['a rare word', 12, null],
    ['an unknown word', 0, null],
  ])('at %s', (_, matches, blocks) => {
    expect(firstBlockCount(estimated(matches), 100)).toBe(blocks)
  })

  test('grows with the limit', () => {
    expect(firstBlockCount(estimated(10_000), 1_000)).toBe(37)
  })
})

describe('nextBlockCount', () => {
  test.each([
    ['as far as the matches so far suggest', 2, 10, 30],
    ['much further if nearly enough were found', 5, 99, 20],
    ['not too far if hardly any were found', 2, 1, 32],
  ])('goes %s', (_, blocks, found, next) => {
    expect(nextBlockCount(blocks, found, estimated(10_000), 100)).toBe(next)
  })

  test('ends with a search of everything if nothing was found', () => {
    let blocks: number | null = 1
    const counts = []
    while (blocks !== null) {
      counts.push(blocks)
      blocks = nextBlockCount(blocks, 0, estimated(500_000), 100)
    }
    expect(counts).toEqual([1, 16])
  })
})

describe('maxMessagesByRecipient', () => {
  test('is a quarter of what a search of everything reads', () => {
    expect(maxMessagesByRecipient(estimated(100_000))).toBe(25_000)
    expect(maxMessagesByRecipient({ ...estimated(12), candidates: MILLION })).toBe(250_000)
  })

  test('is null if a search of everything is cheap', () => {
    expect(maxMessagesByRecipient(estimated(2_000))).toBeNull()
  })
})

describe('partOf', () => {
  const span = { from: 0, below: Number.MAX_SAFE_INTEGER, limit: 100 }

  test('covers the newest messages, including those that arrive meanwhile', () => {
    const part = partOf(span, 'older', 2, estimated(MILLION))
    expect(part).toEqual({ blocks: [242, 243, 244], span: { ...span, from: 242 * BLOCK } })
  })

  test('covers the oldest messages', () => {
    const part = partOf(span, 'newer', 2, estimated(MILLION))
    expect(part).toEqual({ blocks: [0, 1, 2], span: { ...span, below: 3 * BLOCK } })
  })

  test.each([
    ['older', { ...span, below: 500_000 }, [121, 122]],
    ['newer', { ...span, from: 500_000 }, [122, 123]],
  ] as const)('%s than somewhere', (side, requested, blocks) => {
    expect(partOf(requested, side, 1, estimated(MILLION))?.blocks).toEqual(blocks)
  })

  test('is null if the blocks cover everything', () => {
    expect(partOf(span, 'older', 244, estimated(MILLION))).toBeNull()
    expect(partOf({ ...span, below: 100 }, 'older', 1, estimated(MILLION))).toBeNull()
  })

  test('covers each ID of its span exactly once', () => {
    for (const side of ['older', 'newer'] as const) {
      const part = partOf({ from: 5_000, below: 900_000, limit: 1 }, side, 7, estimated(MILLION))
      const ids = new Set(part?.blocks.flatMap((one) => [one * BLOCK, (one + 1) * BLOCK - 1]))
      const [from, below] = [Math.max(part?.span.from ?? 0, 5_000), Math.min(part?.span.below ?? 0, 900_000)]
      expect(Math.min(...ids)).toBeLessThanOrEqual(from)
      expect(Math.max(...ids)).toBeGreaterThanOrEqual(below - 1)
    }
  })
})

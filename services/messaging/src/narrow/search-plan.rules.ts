import type { Span } from './anchor.rules.ts'

/** IDs per block, from a multiple of it on: see `blocks_of` in the migrations. */
export const BLOCK = 4_096
/** Words occur in clusters, so more blocks are read than an even spread would need. */
const MARGIN = 1.5
/** If the blocks did not fill the page, the next step reads so many times as many, at least and at most. */
const GROWTH = { least: 4, most: 16 } as const
/** Reading a match from the table costs as much as finding one among so many blocks. */
const BLOCKS_PER_MATCH = 80
/** So few matches are all read at once. */
const FEW = 500
/** The share of the cost of reading all matches that may be spent on blocks that may not suffice. */
const MAX_COST_SHARE = 0.5

/** What is known of the matches before any of them is read. */
export interface MatchEstimate {
  readonly matches: number
  /** So many messages must be read to find all matches: all texts, if no index helps. */
  readonly candidates: number
  /** All message IDs are between these, both included. */
  readonly firstId: number
  readonly lastId: number
}

/**
 * How many blocks of messages, from the page's end on, are likely to contain a page of `limit` matches, assuming an
 * even spread; null for reading everything, which costs less if matches are few.
 */
export function firstBlockCount(estimated: MatchEstimate, limit: number): number | null {
  const blocks = Math.ceil((MARGIN * limit * blocksOf(estimated)) / Math.max(estimated.matches, 1))
  return ifCheaper(blocks, estimated)
}

/** The same after reading `blocks` with only `found` matches. */
export function nextBlockCount(
  blocks: number,
  found: number,
  estimated: MatchEstimate,
  limit: number,
): number | null {
  const needed = (MARGIN * limit * blocks) / Math.max(found, 1)
  const further = Math.min(Math.max(needed, GROWTH.least * blocks), GROWTH.most * blocks)
  return ifCheaper(Math.ceil(further), estimated)
}

const blocksOf = ({ firstId, lastId }: MatchEstimate) => (lastId - firstId + 1) / BLOCK

const ifCheaper = (blocks: number, estimated: MatchEstimate): number | null =>
  estimated.matches > FEW && (blocks / blocksOf(estimated)) * (1 + blocks / BLOCKS_PER_MATCH) < MAX_COST_SHARE
    ? blocks
    : null

/** Reading by recipient costs more for each message than reading all at once. */
const RECIPIENT_SHARE = 0.25
/** Reading so few candidates takes less time than counting messages by recipient. */
const FEW_CANDIDATES = 2_000

/**
 * If the narrow's channels and conversations have fewer messages than this, they are read one by one, so that messages
 * which the user can't read cost nothing. Null if a search of everything is cheap.
 */
export function maxMessagesByRecipient({ candidates }: MatchEstimate): number | null {
  return candidates > FEW_CANDIDATES ? candidates * RECIPIENT_SHARE : null
}

/**
 * The part of a span that the blocks next to its end cover: at the higher IDs for `older`, the lower ones for `newer`.
 * The block in which the span ends is added, since it may be nearly empty. Null if they cover the whole span.
 */
export function partOf(
  span: Span,
  side: 'older' | 'newer',
  count: number,
  { firstId, lastId }: MatchEstimate,
): { readonly span: Span; readonly blocks: readonly number[] } | null {
  const lowest = Math.floor(Math.max(span.from, firstId) / BLOCK)
  const highest = Math.floor(Math.min(span.below - 1, lastId) / BLOCK)
  if (highest - lowest <= count) return null
  const first = side === 'older' ? highest - count : lowest
  const blocks = Array.from({ length: count + 1 }, (_, n) => first + n)
  return {
    blocks,
    span:
      side === 'older' ? { ...span, from: first * BLOCK } : { ...span, below: (first + count + 1) * BLOCK },
  }
}

import type { Span } from './anchor.rules.ts'

/** So many IDs, from a multiple of it on, are a block: see `blocks_of` in the migrations. */
export const BLOCK = 4_096
/** Words come in clusters: so many times what an even spread would need is looked at. */
const MARGIN = 1.5
/** A look that did not fill the page is followed by one so many times as far, at least and at most. */
const GROWTH = { least: 4, most: 16 } as const
/** Taking a match from the table costs as much as finding one among so many blocks. */
const BLOCKS_PER_MATCH = 80
/** So few matches are taken all at once. */
const FEW = 500
/** Of what taking all matches costs, so much may be spent on a look that may not suffice. */
const WORTH = 0.5

/** What is known of the matches before any of them is looked at. */
export interface Likely {
  readonly matches: number
  /** Of so many more has to be looked at to find them all: of every text, where no index helps. */
  readonly candidates: number
  /** All messages are between these, both included. */
  readonly firstId: number
  readonly lastId: number
}

/**
 * How many blocks of messages, from the page's end on, are likely to hold a page of `limit` matches; null for looking
 * at all there are, which costs less if they are few. The matches are taken to be spread evenly.
 */
export function firstLook(likely: Likely, limit: number): number | null {
  const blocks = Math.ceil((MARGIN * limit * blocksOf(likely)) / Math.max(likely.matches, 1))
  return ifCheaper(blocks, likely)
}

/** The same after a look at `blocks` that found only `found`. */
export function nextLook(blocks: number, found: number, likely: Likely, limit: number): number | null {
  const needed = (MARGIN * limit * blocks) / Math.max(found, 1)
  const further = Math.min(Math.max(needed, GROWTH.least * blocks), GROWTH.most * blocks)
  return ifCheaper(Math.ceil(further), likely)
}

const blocksOf = ({ firstId, lastId }: Likely) => (lastId - firstId + 1) / BLOCK

const ifCheaper = (blocks: number, likely: Likely): number | null =>
  likely.matches > FEW && (blocks / blocksOf(likely)) * (1 + blocks / BLOCKS_PER_MATCH) < WORTH
    ? blocks
    : null

/** Going place by place costs more for each message than going through all at once. */
const PLACE_SHARE = 0.25
/** So few candidates are looked at in less time than it takes to ask about places. */
const FEW_CANDIDATES = 2_000

/**
 * If fewer messages than this are in the places that a narrow looks at, they are looked at place by place: what
 * others write doesn't cost those who can't read it anything then. Null where looking everywhere costs little.
 */
export function worthByPlace({ candidates }: Likely): number | null {
  return candidates > FEW_CANDIDATES ? candidates * PLACE_SHARE : null
}

/**
 * The part of a span that the blocks cover which lie next to its end: at the higher IDs for `older`, the lower ones
 * for `newer`. The block in which the span ends comes on top of them, for it may be nearly empty. Null if they cover
 * all of it.
 */
export function partOf(
  span: Span,
  side: 'older' | 'newer',
  count: number,
  { firstId, lastId }: Likely,
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

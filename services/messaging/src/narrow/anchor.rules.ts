import { badRequest, limits } from '@tms/contracts'

/** Greater than all message IDs; clients know this number. */
export const NEWEST = 10_000_000_000_000_000

/** Where to fetch around: a message ID (0 is the oldest end, `NEWEST` the newest), or one to be looked up. */
export type Anchor = number | 'first_unread'

/** Reads the anchor. Throws BAD_REQUEST. */
export function parseAnchor(anchor: string | undefined, useFirstUnread: boolean | undefined): Anchor {
  if (useFirstUnread || anchor === 'first_unread') return 'first_unread'
  if (anchor === undefined) throw badRequest("Missing 'anchor' argument.")
  if (anchor === 'newest') return NEWEST
  if (anchor === 'oldest') return 0
  if (!/^[+-]?\d{1,400}$/.test(anchor)) throw badRequest('Invalid anchor')
  return Math.min(Math.max(Number(anchor), 0), NEWEST)
}

export interface PageSize {
  readonly numBefore: number
  readonly numAfter: number
  readonly includeAnchor: boolean
}

/** Throws BAD_REQUEST for more messages than one fetch may return, or an excluded anchor inside the range. */
export function checkPageSize(size: PageSize): void {
  if (size.numBefore + size.numAfter > limits.maxMessagesPerFetch) {
    throw badRequest(`Too many messages requested (maximum ${limits.maxMessagesPerFetch}).`)
  }
  checkAnchorPosition(size)
}

/** Limits a page to what one request may change; what one side doesn't need is left to the other. */
export function clampPageSize(size: PageSize): PageSize {
  const most = limits.maxMessagesPerFetch
  const numBefore = Math.min(size.numBefore, Math.max(most - size.numAfter, most / 2))
  return { ...size, numBefore, numAfter: Math.min(size.numAfter, most - numBefore) }
}

/** Throws BAD_REQUEST for an excluded anchor inside the range. */
export function checkAnchorPosition({ numBefore, numAfter, includeAnchor }: PageSize): void {
  if (!includeAnchor && numBefore > 0 && numAfter > 0) {
    throw badRequest('The anchor can only be excluded at an end of the range')
  }
}

/** IDs to fetch on one side: `from` inclusive, `below` exclusive, at most `limit` of those nearest the anchor. */
export interface Span {
  readonly from: number
  readonly below: number
  readonly limit: number
}

/** What to fetch around an anchor; null for a side that isn't requested. */
export interface Page {
  readonly older: Span | null
  readonly newer: Span | null
}

/** The ranges of IDs of a page. The anchor itself, if requested, counts as newer. */
export function pageAround(anchor: number, { numBefore, numAfter, includeAnchor }: PageSize): Page {
  const isAtNewest = anchor >= NEWEST
  const wantedAfter = isAtNewest ? 0 : numAfter + (includeAnchor ? 1 : 0)
  const from = includeAnchor ? anchor : anchor + 1
  return {
    older: numBefore > 0 && anchor > 0 ? { from: 0, below: anchor, limit: numBefore } : null,
    // Without messages after it, only the anchor itself is needed.
    newer: wantedAfter > 0 ? { from, below: numAfter > 0 ? NEWEST : anchor + 1, limit: wantedAfter } : null,
  }
}

export interface ArrangedPage {
  readonly ids: readonly number[]
  readonly foundAnchor: boolean
  readonly foundOldest: boolean
  readonly foundNewest: boolean
}

/** Arranges the messages that were found: in ascending order, at most the requested number on each side. */
export function arrangePage(
  found: readonly number[],
  anchor: number,
  { numBefore, numAfter, includeAnchor }: PageSize,
): ArrangedPage {
  const isAtNewest = anchor >= NEWEST
  const ascending = found.toSorted((a, b) => a - b)
  const older = ascending.filter((id) => id < anchor).slice(-numBefore || ascending.length)
  const newer = ascending.filter((id) => id > anchor).slice(0, numAfter)
  const foundAnchor = includeAnchor && !isAtNewest && ascending.includes(anchor)
  return {
    ids: [...older, ...(foundAnchor ? [anchor] : []), ...newer],
    foundAnchor,
    foundOldest: anchor === 0 || older.length < numBefore,
    foundNewest: isAtNewest || newer.length < numAfter,
  }
}

/**
 * Leaves out the messages farthest from the anchor if a page would be larger than `maxBytes`. The nearest one is
 * included however large it is, so that clients make progress. `sizeOf` returns a message's bytes.
 */
export function cutPage(
  page: ArrangedPage,
  anchor: number,
  sizeOf: (id: number) => number,
  maxBytes: number,
): ArrangedPage {
  const sides = {
    older: page.ids.filter((id) => id < anchor).reverse(),
    newer: page.ids.filter((id) => id >= anchor),
  }
  const included = { older: 0, newer: 0 }
  const isOpen = { older: true, newer: true }
  let bytes = 0
  for (let rank = 0; rank < page.ids.length; rank++) {
    for (const side of ['newer', 'older'] as const) {
      const id = sides[side][rank]
      if (id === undefined || !isOpen[side]) continue
      const size = sizeOf(id)
      isOpen[side] = bytes + size <= maxBytes || included.older + included.newer === 0
      if (!isOpen[side]) continue
      included[side]++
      bytes += size
    }
  }
  return {
    ids: [...sides.older.slice(0, included.older).reverse(), ...sides.newer.slice(0, included.newer)],
    foundAnchor: page.foundAnchor,
    foundOldest: page.foundOldest && isOpen.older,
    foundNewest: page.foundNewest && isOpen.newer,
  }
}

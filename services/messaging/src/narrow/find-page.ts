import type { Caller, Queryable } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { type Anchor, NEWEST, type Page, type PageSize, pageAround, type Span } from './anchor.rules.ts'
import { estimateReactions, estimateTexts, hasFewerInPlaces } from './estimate.queries.ts'
import { looksFar, type Narrow, receivedOnly } from './narrow.ts'
import { canStartWithReactions, canStartWithText, queryPageIds, type Start } from './page.queries.ts'
import { firstLook, type Likely, nextLook, partOf, worthByPlace } from './search-plan.rules.ts'
import { onlyPlaceOf } from './text.queries.ts'

/**
 * The ID to fetch around, and IDs of the messages in the narrow on both sides of it, in no particular order.
 * Throws BAD_NARROW where looking takes too long.
 */
export function findPage(
  { db, searches }: Pick<Context, 'db' | 'searches'>,
  { userId }: Caller,
  narrow: Narrow,
  asked: Anchor,
  size: PageSize,
): Promise<{ anchor: number; found: number[] }> {
  const look = async (using: Queryable) => {
    const anchor = await findAnchor(using, userId, narrow, asked)
    return { anchor, found: await listPageIds(using, userId, narrow, pageAround(anchor, size)) }
  }
  return looksFar(narrow) ? searches.run(userId, look) : look(db)
}

/** IDs of the messages in the narrow on both sides of an anchor, in no particular order. */
export async function listPageIds(
  db: Queryable,
  userId: number,
  narrow: Narrow,
  page: Page,
): Promise<number[]> {
  if (narrow.scope.kind === 'nothing') return []
  const way = wayTo(narrow)
  if (!way) return queryPageIds(db, userId, narrow, page)
  const older = page.older ? await search(db, userId, narrow, way, page.older, 'older') : []
  const newer = page.newer ? await search(db, userId, narrow, way, page.newer, 'newer') : []
  return [...older, ...newer]
}

/** How to look for what is found by something else than its place. */
interface Way {
  readonly estimate: (db: Queryable, narrow: Narrow) => Promise<Likely>
  readonly inBlocks: (blocks: readonly number[]) => Start
  readonly everywhere: Start
  /** Null where everywhere is one place already. */
  readonly byPlace: Start | null
}

/** Null where looking place by place is the only way, or the narrow asks for something that few messages are. */
function wayTo(narrow: Narrow): Way | null {
  if (canStartWithText(narrow)) {
    return {
      estimate: estimateTexts,
      inBlocks: (blocks) => ({ texts: { blocks } }),
      everywhere: { texts: 'all' },
      byPlace: onlyPlaceOf(narrow) === null ? { texts: 'places' } : null,
    }
  }
  if (!canStartWithReactions(narrow)) return null
  // The span of the page is all that a look at some blocks needs.
  return {
    estimate: estimateReactions,
    inBlocks: () => 'reactions',
    everywhere: 'reactions',
    byPlace: 'places',
  }
}

/**
 * Looks at as much next to the page's end as is likely to fill it, and further if that was too little, so that a page
 * costs the same however many messages match. Rare words are looked for everywhere at once, and whoever reads little
 * of all there is has only that looked through.
 */
async function search(
  db: Queryable,
  userId: number,
  narrow: Narrow,
  way: Way,
  span: Span,
  side: keyof Page,
): Promise<number[]> {
  const page = (one: Span): Page => ({ older: null, newer: null, [side]: one })
  const likely = await way.estimate(db, narrow)
  const look = (one: Span, start: Start) => queryPageIds(db, userId, narrow, page(one), start)
  const lookNear = async (count: number): Promise<number[] | null> => {
    const part = partOf(span, side, count, likely)
    return part && look(part.span, way.inBlocks(part.blocks))
  }

  let count = firstLook(likely, span.limit)
  let ids = count === null ? null : await lookNear(count)
  if (ids?.length === span.limit) return ids
  const worth = way.byPlace && worthByPlace(likely)
  if (way.byPlace && worth !== null && (await hasFewerInPlaces(db, userId, narrow, worth))) {
    return look(span, way.byPlace)
  }
  while (count !== null && ids !== null) {
    count = nextLook(count, ids.length, likely, span.limit)
    ids = count === null ? null : await lookNear(count)
    if (ids?.length === span.limit) return ids
  }
  return look(span, way.everywhere)
}

/** The ID to fetch around. */
export async function findAnchor(
  db: Queryable,
  userId: number,
  narrow: Narrow,
  asked: Anchor,
): Promise<number> {
  if (asked !== 'first_unread') return asked
  return (await findFirstUnread(db, userId, narrow)) ?? NEWEST
}

/**
 * The lowest unread message that the user received in the narrow; null if there is none. Muted topics don't
 * count, muted channels only where the narrow names a channel.
 */
async function findFirstUnread(db: Queryable, userId: number, narrow: Narrow): Promise<number | null> {
  if (narrow.reading === 'read') return null
  const received = receivedOnly(narrow)
  const unread: Narrow = {
    ...received,
    reading: 'unread',
    conditions: [
      ...received.conditions,
      { kind: 'home', namesChannel: narrow.scope.kind === 'channel', isNegated: false },
    ],
  }
  const first = { from: 0, below: Number.MAX_SAFE_INTEGER, limit: 1 }
  const [id] = await listPageIds(db, userId, unread, { older: null, newer: first })
  return id ?? null
}

/** Those of these messages that the user received and that are in the narrow, ascending. */
export async function listMatching(
  db: Queryable,
  userId: number,
  narrow: Narrow,
  messageIds: readonly number[],
): Promise<number[]> {
  const received = receivedOnly(narrow)
  const among: Narrow = {
    ...received,
    conditions: [...received.conditions, { kind: 'id', messageIds, isNegated: false }],
  }
  const all = { from: 0, below: Number.MAX_SAFE_INTEGER, limit: messageIds.length }
  const ids = await listPageIds(db, userId, among, { older: null, newer: all })
  return ids.sort((a, b) => a - b)
}

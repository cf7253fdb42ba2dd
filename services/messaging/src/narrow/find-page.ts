import type { Queryable } from '@tms/service-kit'
import { type Anchor, NEWEST, type Page, type Span } from './anchor.rules.ts'
import { type Narrow, receivedOnly } from './narrow.ts'
import { canStartWithText, queryPageIds } from './page.queries.ts'
import { scanPlaces } from './scan-places.queries.ts'
import { candidatesToScan } from './search-plan.rules.ts'
import { estimateMatches } from './text.queries.ts'

/** By how much more messages are looked at one by one when the first look did not fill the page. */
const SECOND_LOOK = 8

/** IDs of the messages in the narrow on both sides of an anchor, in no particular order. */
export async function listPageIds(
  db: Queryable,
  userId: number,
  narrow: Narrow,
  page: Page,
): Promise<number[]> {
  if (narrow.scope.kind === 'nothing') return []
  if (!canStartWithText(narrow)) return queryPageIds(db, userId, narrow, page, 'places')
  const older = page.older ? await search(db, userId, narrow, page.older, 'older') : []
  const newer = page.newer ? await search(db, userId, narrow, page.newer, 'newer') : []
  return [...older, ...newer]
}

/**
 * Frequent words are found by looking at messages from the page's end on, rare ones by the index of words: each
 * of the two would be slow for the other. Statistics may mislead, so a look at single messages has an end.
 */
async function search(
  db: Queryable,
  userId: number,
  narrow: Narrow,
  span: Span,
  side: keyof Page,
): Promise<number[]> {
  const { matches, total } = await estimateMatches(db, narrow)
  const candidates = candidatesToScan(matches, total, span.limit)
  const order = side === 'older' ? 'desc' : 'asc'
  for (const count of candidates === null ? [] : [candidates, candidates * SECOND_LOOK]) {
    const { ids, isAll } = await scanPlaces(db, userId, narrow, span, { order, count })
    if (isAll || ids.length === span.limit) return [...ids]
  }
  return queryPageIds(db, userId, narrow, { older: null, newer: null, [side]: span }, 'text')
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

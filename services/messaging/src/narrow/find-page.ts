import type { Queryable } from '@tms/service-kit'
import { type Anchor, NEWEST, type Page, type Span } from './anchor.rules.ts'
import { type Narrow, receivedOnly } from './narrow.ts'
import { canStartWithText, queryPageIds } from './page.queries.ts'
import { firstLook, nextLook, partOf } from './search-plan.rules.ts'
import { estimateMatches } from './text.queries.ts'

/** IDs of the messages in the narrow on both sides of an anchor, in no particular order. */
export async function listPageIds(
  db: Queryable,
  userId: number,
  narrow: Narrow,
  page: Page,
): Promise<number[]> {
  if (narrow.scope.kind === 'nothing') return []
  if (!canStartWithText(narrow)) return queryPageIds(db, userId, narrow, page)
  const older = page.older ? await search(db, userId, narrow, page.older, 'older') : []
  const newer = page.newer ? await search(db, userId, narrow, page.newer, 'newer') : []
  return [...older, ...newer]
}

/**
 * Looks at as much next to the page's end as is likely to fill it, and further if that was too little, so that a page
 * costs the same however many messages match. Rare words are looked for everywhere at once.
 */
async function search(
  db: Queryable,
  userId: number,
  narrow: Narrow,
  span: Span,
  side: keyof Page,
): Promise<number[]> {
  const page = (one: Span): Page => ({ older: null, newer: null, [side]: one })
  const likely = await estimateMatches(db, narrow)
  let count = firstLook(likely, span.limit)
  while (count !== null) {
    const part = partOf(span, side, count, likely)
    if (!part) break
    const ids = await queryPageIds(db, userId, narrow, page(part.span), part)
    if (ids.length === span.limit) return ids
    count = nextLook(count, ids.length, likely, span.limit)
  }
  return queryPageIds(db, userId, narrow, page(span), 'texts')
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

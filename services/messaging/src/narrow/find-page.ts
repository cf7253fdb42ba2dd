import type { Caller, Queryable } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { type Anchor, NEWEST, type Page, type PageSize, pageAround, type Span } from './anchor.rules.ts'
import { estimateReactions, estimateTexts, hasFewerMessages } from './estimate.queries.ts'
import { mayScanMessages, type Narrow, receivedOnly } from './narrow.ts'
import { queryPageIds, type Start } from './page.queries.ts'
import { canStartWithReactions, canStartWithText } from './page-sources.queries.ts'
import {
  firstBlockCount,
  type MatchEstimate,
  maxMessagesByRecipient,
  nextBlockCount,
  partOf,
} from './search-plan.rules.ts'
import { onlyRecipientOf } from './text.queries.ts'

/**
 * The ID to fetch around, and IDs of the narrow's messages on both sides of it, in no particular order. Throws
 * BAD_NARROW if that takes too long.
 */
export function findPage(
  { db, searches }: Pick<Context, 'db' | 'searches'>,
  { userId }: Caller,
  narrow: Narrow,
  requested: Anchor,
  size: PageSize,
): Promise<{ anchor: number; found: number[] }> {
  const read = async (using: Queryable) => {
    const anchor = await findAnchor(using, userId, narrow, requested)
    return { anchor, found: await listPageIds(using, userId, narrow, pageAround(anchor, size)) }
  }
  return mayScanMessages(narrow) ? searches.run(userId, read) : read(db)
}

/** IDs of the narrow's messages on both sides of an anchor, in no particular order. */
export async function listPageIds(
  db: Queryable,
  userId: number,
  narrow: Narrow,
  page: Page,
): Promise<number[]> {
  if (narrow.scope.kind === 'nothing') return []
  const plan = planSearch(narrow)
  if (!plan) return queryPageIds(db, userId, narrow, page)
  const older = page.older ? await search(db, userId, narrow, plan, page.older, 'older') : []
  const newer = page.newer ? await search(db, userId, narrow, plan, page.newer, 'newer') : []
  return [...older, ...newer]
}

/** How to search by something other than channels and conversations. */
interface SearchPlan {
  readonly estimate: (db: Queryable, narrow: Narrow) => Promise<MatchEstimate>
  readonly inBlocks: (blocks: readonly number[]) => Start
  readonly everywhere: Start
  /** Null if the narrow has only one channel or conversation. */
  readonly byRecipient: Start | null
}

/**
 * Null if searching by channel and conversation is the only way, or if the narrow requires something that few messages
 * are.
 */
function planSearch(narrow: Narrow): SearchPlan | null {
  if (canStartWithText(narrow)) {
    return {
      estimate: estimateTexts,
      inBlocks: (blocks) => ({ texts: { blocks } }),
      everywhere: { texts: 'all' },
      byRecipient: onlyRecipientOf(narrow) === null ? { texts: 'by_recipient' } : null,
    }
  }
  if (!canStartWithReactions(narrow)) return null
  // The span of the page is all that reading some blocks needs.
  return {
    estimate: estimateReactions,
    inBlocks: () => 'reactions',
    everywhere: 'reactions',
    byRecipient: 'by_recipient',
  }
}

/**
 * Reads as much next to the page's end as is likely to fill it, and further if that was too little, so that a page
 * costs the same however many messages match. Rare words are searched everywhere at once. For users who can read only
 * a small part of all messages, only that part is searched.
 */
async function search(
  db: Queryable,
  userId: number,
  narrow: Narrow,
  plan: SearchPlan,
  span: Span,
  side: keyof Page,
): Promise<number[]> {
  const page = (one: Span): Page => ({ older: null, newer: null, [side]: one })
  const estimated = await plan.estimate(db, narrow)
  const read = (one: Span, start: Start) => queryPageIds(db, userId, narrow, page(one), start)
  const readNearest = async (count: number): Promise<number[] | null> => {
    const part = partOf(span, side, count, estimated)
    return part && read(part.span, plan.inBlocks(part.blocks))
  }

  let count = firstBlockCount(estimated, span.limit)
  let ids = count === null ? null : await readNearest(count)
  if (ids?.length === span.limit) return ids
  const maxMessages = plan.byRecipient && maxMessagesByRecipient(estimated)
  if (plan.byRecipient && maxMessages !== null && (await hasFewerMessages(db, userId, narrow, maxMessages))) {
    return read(span, plan.byRecipient)
  }
  while (count !== null && ids !== null) {
    count = nextBlockCount(count, ids.length, estimated, span.limit)
    ids = count === null ? null : await readNearest(count)
    if (ids?.length === span.limit) return ids
  }
  return read(span, plan.everywhere)
}

/** The ID to fetch around. */
export async function findAnchor(
  db: Queryable,
  userId: number,
  narrow: Narrow,
  requested: Anchor,
): Promise<number> {
  if (requested !== 'first_unread') return requested
  return (await findFirstUnread(db, userId, narrow)) ?? NEWEST
}

/**
 * The lowest unread message that the user received in the narrow; null if there is none. Muted topics don't count;
 * muted channels count only if the narrow names a channel.
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

/** Those of these messages that are in the narrow, ascending. */
export async function listAmong(
  { db }: Pick<Context, 'db'>,
  { userId }: Pick<Caller, 'userId'>,
  narrow: Narrow,
  messageIds: readonly number[],
): Promise<number[]> {
  const among: Narrow = {
    ...narrow,
    conditions: [...narrow.conditions, { kind: 'id', messageIds, isNegated: false }],
  }
  const all = { from: 0, below: Number.MAX_SAFE_INTEGER, limit: messageIds.length }
  const ids = await listPageIds(db, userId, among, { older: null, newer: all })
  return ids.sort((a, b) => a - b)
}

import { VisibilityPolicy } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { Page, Span } from './anchor.rules.ts'
import { conditionOn, mentionsAll } from './conditions.queries.ts'
import type { Condition, Narrow } from './narrow.ts'
import { createParameters, type Parameters } from './parameters.ts'
import { rangesOf } from './ranges.queries.ts'
import { isDecidedByTexts, isSearch, type TextPart, textsFound } from './text.queries.ts'

/** One way to find candidates: by channel and conversation, or from messages that are known to be few. */
type Source =
  | { readonly kind: 'ranges'; readonly ranges: RangesName; readonly extra: string }
  /** `ids` provides the column `id`, and takes further conditions on it: it ends in a `where` clause. */
  | { readonly kind: 'few'; readonly ids: string; readonly id: string; readonly isDistinct?: boolean }
  | { readonly kind: 'found' }
type RangesName =
  | 'ranges'
  | 'unmuted_ranges'
  | 'shown_topics'
  | 'followed_topics'
  | 'muted_ranges'
  | 'muted_topics'

/** Ranges of single topics. */
const OF_TOPICS: ReadonlySet<RangesName> = new Set(['shown_topics', 'followed_topics', 'muted_topics'])

interface Search {
  readonly me: string
  readonly parameters: Parameters
  /** Conditions on the message `m`, each beginning with `and`. */
  readonly conditions: string
  readonly sources: readonly Source[]
}

type Order = 'asc' | 'desc'

/** Where to start: by channel and conversation, with all reactions, or with a part of the searched texts. */
export type Start = 'by_recipient' | 'reactions' | { readonly texts: TextPart }

/** IDs of the narrow's messages on both sides of an anchor, in no particular order. */
export async function queryPageIds(
  db: Queryable,
  userId: number,
  narrow: Narrow,
  page: Page,
  start: Start = 'by_recipient',
): Promise<number[]> {
  const parameters = createParameters()
  const me = parameters.add(userId, 'bigint')
  const ranges = rangesOf(narrow, me, parameters)
  const texts = typeof start === 'object' ? start.texts : null
  const found = texts ? [`found as materialized (${textsFound(narrow, parameters, texts)})`] : []
  const search: Search = {
    me,
    parameters,
    conditions: narrow.conditions
      .filter((one) => !(texts && isDecidedByTexts(one)))
      .map((one) => `and ${conditionOn(one, me, parameters)}`)
      .join(' '),
    sources: texts
      ? [{ kind: 'found' }]
      : start === 'reactions'
        ? [REACTIONS]
        : sourcesFor(narrow, me, parameters),
  }
  const sides = [
    ...(page.older ? [sideOf(search, page.older, 'desc')] : []),
    ...(page.newer ? [sideOf(search, page.newer, 'asc')] : []),
  ]
  if (sides.length === 0) return []
  const { rows } = await db.query<{ id: number }>(
    `with ranges as materialized (${ranges}), ${[...rangeQueries(search.sources, me), ...found, ''].join(', ')}
     page as (${sides.map(selectFrom).join(' union all ')})
     select id from page`,
    [...parameters.values],
  )
  return rows.map(({ id }) => id)
}

/** Whether a page can be found by starting with the messages that contain a text. */
export function canStartWithText({ conditions }: Narrow): boolean {
  return conditions.some(isSearch) && !conditions.some(isOfFew)
}

/** Whether a page can be found by starting with all reactions, and nothing else is known to be rarer. */
export function canStartWithReactions(narrow: Narrow): boolean {
  const { conditions } = narrow
  return (
    conditions.some((one) => one.kind === 'has' && one.what === 'reaction' && !one.isNegated) &&
    !conditions.some((one) => isOfFew(one) || (one.kind === 'followed' && !one.isNegated)) &&
    onlySenderOf(narrow) === null
  )
}

/**
 * CTEs that sources read, derived from the ranges: some of them, single topics in them, or all ranges of a recipient
 * in one.
 */
function rangeQueries(sources: readonly Source[], me: string): string[] {
  const isMuted = `
    exists (select
              from subscriptions s
              join channels c
                on c.id = s.channel_id
             where s.user_id = ${me}
               and s.is_active
               and s.is_muted
               and c.recipient_id = r.recipient_id)`
  const topics = (...only: string[]) => `
    select r.recipient_id, r.low, r.high, t.topic_key
      from user_topics t
      join channels c
        on c.id = t.channel_id
      join ranges r
        on r.recipient_id = c.recipient_id
     where t.user_id = ${me}
       and ${only.join(' and ')}`
  const queries: Readonly<Record<RangesName, string | null>> = {
    ranges: null,
    unmuted_ranges: `select r.recipient_id, r.low, r.high from ranges r where not ${isMuted}`,
    shown_topics: topics('t.visibility_policy in (2, 3)', isMuted),
    followed_topics: topics(`t.visibility_policy = ${VisibilityPolicy.followed}`),
    muted_ranges: `select r.recipient_id, r.low, r.high from ranges r where ${isMuted}`,
    muted_topics: topics(`t.visibility_policy = ${VisibilityPolicy.muted}`, `not ${isMuted}`),
  }
  const recipient_ranges = `
    recipient_ranges as materialized (
      select recipient_id, range_agg(int8range(low, high)) as ids
        from ranges
       group by recipient_id)`
  const wanted = new Set(sources.map((source) => (source.kind === 'ranges' ? source.ranges : null)))
  return [...wanted].flatMap((name) => {
    if (name === null) return [recipient_ranges]
    const query = queries[name]
    return query === null ? [] : [`${name} as materialized (${query})`]
  })
}

/** Conditions that so few messages meet that the search starts with them. */
const OF_FEW: ReadonlySet<Condition['kind']> = new Set(['id', 'starred', 'alerted', 'mentioned'])
const REACTIONS: Source = { kind: 'few', ids: 'reactions r where true', id: 'r.message_id', isDistinct: true }
const isOfFew = ({ kind, isNegated }: Condition) => !isNegated && OF_FEW.has(kind)

const findCondition = ({ conditions }: Narrow, kind: Condition['kind']) =>
  conditions.find((one) => one.kind === kind && !one.isNegated)

/** The sender whose messages are few compared with all; null if the narrow names none, or doesn't search everything. */
function onlySenderOf(narrow: Narrow): number | null {
  const sender = findCondition(narrow, 'sender')
  if (sender?.kind !== 'sender' || narrow.scope.kind !== 'received') return null
  return findCondition(narrow, 'topic') ? null : sender.userId
}

/** Every match is a candidate of at least one source. Fewer candidates mean less to read. */
function sourcesFor(narrow: Narrow, me: string, parameters: Parameters): readonly Source[] {
  const find = (kind: Condition['kind']) => findCondition(narrow, kind)
  const flagged = (flag: string): Source => ({
    kind: 'few',
    ids: `message_flags f where f.user_id = ${me} and f.${flag}`,
    id: 'f.message_id',
  })
  const within = (ranges: RangesName, extra = ''): Source => ({ kind: 'ranges', ranges, extra })

  const ids = find('id')
  if (ids?.kind === 'id') {
    const requested = `unnest(${parameters.add(ids.messageIds, 'bigint[]')}) requested (id) where true`
    return [{ kind: 'few', ids: requested, id: 'requested.id' }]
  }
  if (find('starred')) return [flagged('is_starred')]
  if (find('alerted')) return [flagged('has_alert_word')]
  if (find('mentioned')) {
    // Written like the partial index, so that it is used.
    const wildcards = `and (m.mentions_channel or m.mentions_topic) and ${mentionsAll(me)}`
    return [flagged('is_mentioned'), within('ranges', wildcards)]
  }
  const senderId = onlySenderOf(narrow)
  if (senderId !== null) {
    const sentMessages = `messages s where s.sender_id = ${parameters.add(senderId, 'bigint')}`
    return [{ kind: 'few', ids: sentMessages, id: 's.id' }]
  }
  if (find('followed')) return [within('followed_topics')]
  if (find('muted')) return [within('muted_ranges'), within('muted_topics')]
  const home = find('home')
  const leavesMutedOut = narrow.conditions.some(({ kind, isNegated }) => kind === 'muted' && isNegated)
  if (leavesMutedOut || (home?.kind === 'home' && !home.namesChannel))
    return [within('unmuted_ranges'), within('shown_topics')]
  return [within('ranges')]
}

/** A query of at most `limit` IDs of the span, nearest to the end where the order begins. */
function sideOf(search: Search, { from, below, limit }: Span, order: Order): string {
  const { parameters } = search
  const span = {
    order,
    from: parameters.add(from, 'bigint'),
    below: parameters.add(below, 'bigint'),
    limit: parameters.add(limit, 'bigint'),
  }
  const found = search.sources.map((source) => {
    if (source.kind === 'few') return fewWithin(search, source, span)
    return source.kind === 'found' ? foundWithin(search, span) : rangesWithin(search, source, span)
  })
  if (found.length === 1) return `${found.join('')}`
  return `
    select id
      from (${found.map(selectFrom).join(' union ')}) either
     order by id ${order}
     limit ${span.limit}`
}

/** A query may begin with a `with` of its own, which is always allowed only in a subquery in `from`. */
const selectFrom = (query: string): string => `select id from (${query}) as part`

interface SqlSpan {
  readonly order: Order
  readonly from: string
  readonly below: string
  readonly limit: string
}

/**
 * Reads the candidates one by one in the order of the page, until it is full. Neither subquery may be merged into a
 * join: the planner takes the ranges to be few and far apart, and would read all messages in them.
 */
function fewWithin(
  { conditions }: Search,
  { ids, id, isDistinct }: Source & { kind: 'few' },
  { order, from, below, limit }: SqlSpan,
): string {
  return `
    select m.id
      from (select ${isDistinct ? 'distinct' : ''} ${id} as id
              from ${ids}
               and ${id} >= ${from}
               and ${id} < ${below}
             order by ${id} ${order}) candidate
     cross join lateral (
           select m.id
             from messages m
            where m.id = candidate.id
              and (m.recipient_id in (select recipient_id from recipient_ranges)) is true
              and (select p.ids @> m.id from recipient_ranges p where p.recipient_id = m.recipient_id)
                  ${conditions}
           offset 0) m
     order by candidate.id ${order}
     limit ${limit}`
}

/** Among the messages that contain a text, those that the user may find. */
function foundWithin({ conditions }: Search, { order, from, below, limit }: SqlSpan): string {
  const meets =
    conditions === ''
      ? ''
      : `cross join lateral (select from messages m where m.id = found.id ${conditions} offset 0) met`
  return `
    select found.id
      from found
      join recipient_ranges
        on recipient_ranges.recipient_id = found.recipient_id
       and recipient_ranges.ids @> found.id ${meets}
     where found.id >= ${from}
       and found.id < ${below}
     order by found.id ${order}
     limit ${limit}`
}

/**
 * Reads each range by an index and merges. With many ranges most of a full page from each would be discarded, so a
 * first step takes a few from each of the nearest, three times the page in all, and finds the farthest possible end of
 * the page; the second step takes everything up to there. Measured with 200 channels and a million messages: a page of
 * 1,000 in a ninth of the time of full pages from each.
 */
function rangesWithin(
  { conditions }: Search,
  { ranges, extra }: Source & { kind: 'ranges' },
  { order, from, below, limit }: SqlSpan,
): string {
  const isOfTopics = OF_TOPICS.has(ranges)
  const within = (from: string, low: string, high: string, most: string) => `
    select p.id
      from ${from} r
     cross join lateral (
           select m.id
             from messages m
            where m.recipient_id = r.recipient_id
                  ${isOfTopics ? 'and m.topic_key = r.topic_key' : ''}
              and m.id >= greatest(r.low, ${low})
              and m.id < least(r.high, ${high})
                  ${conditions} ${extra}
            order by m.id ${order}
            limit ${most}) p
     where r.low < ${high}
       and r.high > ${low}
     order by p.id ${order}`
  const nearest = `
    (select *
       from ${ranges}
      where low < ${below}
        and high > ${from}
      order by ${order === 'desc' ? 'high desc' : 'low'}
      limit 200 + 3 * ${limit})`
  const fewFromEach = `(select 1 + 3 * ${limit} / greatest(count(*), 1) from ${nearest} r)`
  const pageEnd = `(${within(nearest, from, below, fewFromEach)} offset ${limit} - 1 limit 1)`
  const [low, high] =
    order === 'desc'
      ? [`coalesce((select id from page_end), ${from})`, below]
      : [from, `coalesce((select id + 1 from page_end), ${below})`]
  return `
    with page_end as materialized ${pageEnd}
    ${within(ranges, low, high, limit)}
     limit ${limit}`
}

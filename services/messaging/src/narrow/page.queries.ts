import type { Queryable } from '@tms/service-kit'
import type { Page, Span } from './anchor.rules.ts'
import { conditionOn } from './conditions.queries.ts'
import type { Narrow } from './narrow.ts'
import { OF_TOPICS, REACTIONS, rangeQueries, type Source, sourcesFor } from './page-sources.queries.ts'
import { createParameters, type Parameters } from './parameters.ts'
import { rangesOf } from './ranges.queries.ts'
import { isDecidedByTexts, type TextPart, textsFound } from './text.queries.ts'

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

import type { Queryable } from '@tms/service-kit'
import type { Span } from './anchor.rules.ts'
import { conditionOn } from './conditions.queries.ts'
import type { Condition, Narrow } from './narrow.ts'
import { type Order, partsOfRanges, selectFrom, sideOf, sourcesFor } from './page.queries.ts'
import { createParameters } from './parameters.ts'
import { rangesOf } from './ranges.queries.ts'

/** Conditions that few messages of a place meet, and that an index finds at once. */
const hasIndex = (one: Condition): boolean =>
  !one.isNegated && (one.kind === 'resolved' || (one.kind === 'has' && one.what !== 'reaction'))

/**
 * Looks at the first `count` messages one by one, in the order of the page, until that is full: of those in the places, by
 * a sender or wherever else an index tells that they may be meant. `isAll` says that there are no others in the span.
 */
export async function scanPlaces(
  db: Queryable,
  userId: number,
  narrow: Narrow,
  span: Span,
  { order, count }: { readonly order: Order; readonly count: number },
): Promise<{ ids: readonly number[]; isAll: boolean }> {
  const parameters = createParameters()
  const me = parameters.add(userId, 'bigint')
  const ranges = rangesOf(narrow, me, parameters)
  const sources = sourcesFor(narrow, me, parameters)
  const indexed = narrow.conditions
    .filter(hasIndex)
    .map((one) => `and ${conditionOn(one, me, parameters)}`)
    .join(' ')
  const first = sideOf({ me, parameters, conditions: indexed, sources }, { ...span, limit: count }, order)
  const conditions = narrow.conditions.map((one) => `and ${conditionOn(one, me, parameters)}`).join(' ')
  // What a text holds can be asked of an ID; anything else needs the message, which then is fetched one by one too.
  const needsMessages = narrow.conditions.some(({ kind }) => kind !== 'search')
  const candidates = `(select id from candidates order by id ${order})`
  const found = needsMessages
    ? `select candidate.id
         from ${candidates} candidate
        cross join lateral (select from messages m where m.id = candidate.id ${conditions} offset 0) met
        order by candidate.id ${order}`
    : `select m.id from ${candidates} m where true ${conditions} order by m.id ${order}`
  const { rows } = await db.query<{ ids: number[]; isAll: boolean }>(
    `with ranges as materialized (${ranges}), ${[...partsOfRanges(sources, me), ''].join(', ')}
     candidates as materialized (${selectFrom(first)})
     select array_to_json(array(${found} limit ${parameters.add(span.limit, 'bigint')})) as ids,
            (select count(*) from candidates) < ${parameters.add(count, 'bigint')} as "isAll"`,
    [...parameters.values],
  )
  return rows[0] ?? { ids: [], isAll: true }
}

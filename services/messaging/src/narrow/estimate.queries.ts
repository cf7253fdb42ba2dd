import type { Queryable } from '@tms/service-kit'
import type { Narrow } from './narrow.ts'
import { createParameters } from './parameters.ts'
import { rangesOf } from './ranges.queries.ts'
import type { MatchEstimate } from './search-plan.rules.ts'
import { textsCounted } from './text.queries.ts'

interface Plan {
  readonly 'Node Type': string
  readonly 'Plan Rows': number
  readonly Plans?: readonly Plan[]
}

/** Estimated number of messages that match the conditions of a narrow on texts. */
export function estimateTexts(db: Queryable, narrow: Narrow): Promise<MatchEstimate> {
  const parameters = createParameters()
  return estimate(db, textsCounted(narrow, parameters), parameters.values)
}

/** Estimated number of reactions. */
export function estimateReactions(db: Queryable): Promise<MatchEstimate> {
  return estimate(db, 'select from reactions', [])
}

async function estimate(db: Queryable, query: string, values: readonly unknown[]): Promise<MatchEstimate> {
  const { rows: plans } = await db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (format json) ${query}`,
    [...values],
  )
  const { rows } = await db.query<{ firstId: number; lastId: number }>({
    name: 'first-and-last-message',
    text: `select coalesce(min(id), 0) as "firstId", coalesce(max(id), 0) as "lastId" from messages`,
  })
  const plan = plans[0]?.['QUERY PLAN'][0].Plan
  const { firstId, lastId } = rows[0] ?? { firstId: 0, lastId: 0 }
  const matches = plan?.['Plan Rows'] ?? 0
  const candidates = plan && readsAll(plan) ? Math.max(lastId - firstId, matches) : matches
  return { matches, candidates, firstId, lastId }
}

const readsAll = (plan: Plan): boolean =>
  plan['Node Type'] === 'Seq Scan' || (plan.Plans ?? []).some(readsAll)

/**
 * Whether the channels and conversations of a narrow have fewer messages than `count`. Stops counting once it knows.
 */
export async function hasFewerMessages(
  db: Queryable,
  userId: number,
  narrow: Narrow,
  count: number,
): Promise<boolean> {
  const parameters = createParameters()
  const ranges = rangesOf(narrow, parameters.add(userId, 'bigint'), parameters)
  const most = parameters.add(Math.ceil(count), 'bigint')
  const { rows } = await db.query<{ counted: number }>(
    `with ranges as materialized (${ranges})
     select count(*) as counted
       from (select
               from (select distinct recipient_id from ranges) recipient
              cross join lateral (
                    select from messages m where m.recipient_id = recipient.recipient_id limit ${most}) m
              limit ${most}) part`,
    [...parameters.values],
  )
  return (rows[0]?.counted ?? 0) < Math.ceil(count)
}

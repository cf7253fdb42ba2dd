import type { Queryable } from '@tms/service-kit'
import { pairsQuery } from '../search/unspaced.rules.ts'
import type { Condition, Narrow, SearchText } from './narrow.ts'
import { createParameters, type Parameters } from './parameters.ts'
import { likePattern } from './search-text.rules.ts'

/**
 * How many of the newest messages are looked at for such whose text isn't kept yet. The keeper is rarely a hundred
 * behind; should it be more than this many, older ones are found once it has come to them.
 */
const RECENT = 10_000

/** SQL: a text, and what of it is indexed. */
interface Looked {
  readonly search: string
  readonly text: string
}

/** As the keeper keeps it in `message_texts t`. */
const KEPT: Looked = { search: 't.search', text: 't.text' }
/** As the message `own` has it. Costs a hundred times more. */
const OWN: Looked = {
  search: 'search_vector(message_text(own.topic, own.content))',
  text: 'message_text(own.topic, own.content)',
}

/** Tests of a text, written as the indexes are, so that they serve. A text of stop words alone is in no message. */
function holds(
  { search, text }: Looked,
  { words, runs, literals }: SearchText,
  parameters: Parameters,
): string {
  const tests = [
    ...literals.map((literal) => `${text} ilike ${parameters.add(likePattern(literal), 'text')}`),
    // The pairs find few candidates, among which those are meant that have the whole run.
    ...runs.flatMap((run) => [
      `${search} @@ ${parameters.add(pairsQuery(run), 'tsquery')}`,
      `strpos(${text}, ${parameters.add(run, 'text')}) > 0`,
    ]),
  ]
  if (words !== '' || tests.length === 0) {
    tests.unshift(`${search} @@ plainto_tsquery('english', ${parameters.add(words, 'text')})`)
  }
  return tests.join(' and ')
}

/**
 * SQL: whether the text of the message `m` holds what is searched for, kept or not. Asks for nothing of `m` but its
 * ID, so that an index alone can give the candidates.
 */
export function holdsText(text: SearchText, parameters: Parameters): string {
  return `coalesce((select ${holds(KEPT, text, parameters)} from message_texts t where t.message_id = m.id),
                   (select ${holds(OWN, text, parameters)} from messages own where own.id = m.id))`
}

const searchesOf = ({ conditions }: Narrow) =>
  conditions.flatMap((one) => (one.kind === 'search' && !one.isNegated ? [one] : []))

const holdAll = (looked: Looked, narrow: Narrow, parameters: Parameters) =>
  searchesOf(narrow)
    .map((one) => holds(looked, one, parameters))
    .join(' and ')

/** Whether a condition says that messages must hold a text. */
export const isSearch = (one: Condition): boolean => one.kind === 'search' && !one.isNegated

/**
 * SQL: ID and place of the messages whose texts hold what a narrow searches for, wherever they are or, in a narrow
 * of one place, in it. Of the newest, those whose text isn't kept yet are looked at themselves.
 */
export function textsFound(narrow: Narrow, parameters: Parameters): string {
  const placeId = onlyPlaceOf(narrow)
  const inPlace = placeId === null ? '' : `and recipient_id = ${parameters.add(placeId, 'bigint')}`
  // One by one: the planner takes the newest to be many, and would read all texts.
  return `
    select t.message_id as id, t.recipient_id
      from message_texts t
     where ${holdAll(KEPT, narrow, parameters)} ${inPlace}
     union all
    select own.id, own.recipient_id
      from (select *
              from messages
             where id > (select up_to from search_progress)
             order by id desc
             limit ${RECENT}) own
     where (select t.message_id from message_texts t where t.message_id = own.id) is null
       and ${holdAll(OWN, narrow, parameters)} ${inPlace}`
}

function onlyPlaceOf({ scope }: Narrow): number | null {
  if (scope.kind === 'channel') return scope.channel.recipientId
  return scope.kind === 'conversation' ? scope.recipientId : null
}

/** How many messages are likely to hold what a narrow searches for, and how many there are, as far as statistics tell. */
export async function estimateMatches(
  db: Queryable,
  narrow: Narrow,
): Promise<{ matches: number; total: number }> {
  const parameters = createParameters()
  const texts = `select from message_texts t where ${holdAll(KEPT, narrow, parameters)}`
  const { rows: plans } = await db.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `explain (format json) ${texts}`,
    [...parameters.values],
  )
  const { rows } = await db.query<{ total: number }>({
    name: 'estimate-messages',
    text: `select reltuples as total from pg_class where oid = 'message_texts'::regclass`,
  })
  return { matches: plans[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0, total: rows[0]?.total ?? 0 }
}

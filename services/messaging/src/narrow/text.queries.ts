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
  readonly senderId: string
  readonly marks: string
}

/** As the keeper keeps it in `message_texts t`. */
const KEPT: Looked = {
  search: 't.search',
  text: 't.text',
  senderId: 't.sender_id',
  marks: 't.marks',
}
/** As the message `own` has it. Costs a hundred times more. */
const OWN: Looked = {
  search: 'search_vector(message_text(own.topic, own.content))',
  text: 'message_text(own.topic, own.content)',
  senderId: 'own.sender_id',
  marks: 'message_marks(own.topic, own.has_link, own.has_image, own.has_attachment)',
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

/** Whether a condition says that messages must hold a text. */
export const isSearch = (one: Condition): boolean => one.kind === 'search' && !one.isNegated

/** The test of a text that tells whether its message meets a condition; null if the text alone can't tell. */
function testOfText(looked: Looked, one: Condition, parameters: Parameters): string | null {
  if (one.isNegated) return null
  switch (one.kind) {
    case 'search':
      return holds(looked, one, parameters)
    case 'sender':
      return `${looked.senderId} = ${parameters.add(one.userId, 'bigint')}`
    case 'resolved':
      return `${looked.marks} @> '{resolved}'`
    case 'has':
      return one.what === 'reaction' ? null : `${looked.marks} @> '{${one.what}}'`
    default:
      return null
  }
}

/** Whether texts alone tell which messages meet a condition, so that nothing is left to ask of the messages. */
export const isToldByTexts = (one: Condition): boolean => testOfText(KEPT, one, createParameters()) !== null

/** SQL: all that texts can tell of a narrow; nothing, or beginning with `and`. */
function meetsAll(looked: Looked, narrow: Narrow, parameters: Parameters): string {
  const placeId = onlyPlaceOf(narrow)
  const tests = narrow.conditions.map((one) => testOfText(looked, one, parameters))
  if (placeId !== null) tests.push(`recipient_id = ${parameters.add(placeId, 'bigint')}`)
  return tests.filter((test) => test !== null).join(' and ')
}

/**
 * SQL: ID and place of the messages whose texts meet a narrow, wherever they are or, in a narrow of one place, in it;
 * of the kept ones, those in the blocks. Of the newest, those whose text isn't kept yet are looked at themselves.
 */
export function textsFound(narrow: Narrow, parameters: Parameters, blocks: readonly number[] | null): string {
  const inBlocks = blocks ? `and blocks_of(t.message_id) && ${parameters.add(blocks, 'bigint[]')}` : ''
  // One by one: the planner takes the newest to be many, and would read all texts.
  return `
    select t.message_id as id, t.recipient_id
      from message_texts t
     where ${meetsAll(KEPT, narrow, parameters)} ${inBlocks}
     union all
    select own.id, own.recipient_id
      from (select *
              from messages
             where id > (select up_to from search_progress)
             order by id desc
             limit ${RECENT}) own
     where (select t.message_id from message_texts t where t.message_id = own.id) is null
       and ${meetsAll(OWN, narrow, parameters)}`
}

function onlyPlaceOf({ scope }: Narrow): number | null {
  if (scope.kind === 'channel') return scope.channel.recipientId
  return scope.kind === 'conversation' ? scope.recipientId : null
}

/** What statistics tell of a narrow's matches, and between which IDs all messages are. */
export interface Estimate {
  readonly matches: number
  readonly firstId: number
  readonly lastId: number
}

/** How many messages are likely to meet what texts can tell of a narrow. */
export async function estimateMatches(db: Queryable, narrow: Narrow): Promise<Estimate> {
  const parameters = createParameters()
  const texts = `select from message_texts t where ${meetsAll(KEPT, narrow, parameters)}`
  const { rows: plans } = await db.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `explain (format json) ${texts}`,
    [...parameters.values],
  )
  const { rows } = await db.query<{ firstId: number; lastId: number }>({
    name: 'first-and-last-message',
    text: `select coalesce(min(id), 0) as "firstId", coalesce(max(id), 0) as "lastId" from messages`,
  })
  return {
    matches: plans[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0,
    ...(rows[0] ?? { firstId: 0, lastId: 0 }),
  }
}

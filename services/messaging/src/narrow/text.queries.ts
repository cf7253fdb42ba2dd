import { pairsQuery } from '../search/unspaced.rules.ts'
import type { Condition, Narrow, SearchText } from './narrow.ts'
import { createParameters, type Parameters } from './parameters.ts'
import { hasParts, likePattern } from './search-text.rules.ts'

/**
 * How many of the newest messages are looked at for such whose text isn't kept yet. The keeper is rarely a hundred
 * behind; should it be more than this many, older ones are found once it has come to them.
 */
const RECENT = 10_000

/** SQL: a text, and what of it is indexed. */
interface Looked {
  readonly search: string
  readonly text: string
  /** The same to tests that no index helps with. The planner would read all texts rather than use another condition's. */
  readonly unindexedText: string
  readonly senderId: string
  readonly marks: string
}

/** As the keeper keeps it in `message_texts t`. */
const KEPT: Looked = {
  search: 't.search',
  text: 't.text',
  unindexedText: "(t.text || '')",
  senderId: 't.sender_id',
  marks: 't.marks',
}
/** The same where no other condition has an index, or to ask how many there are: statistics tell of columns alone. */
const PLAIN: Looked = { ...KEPT, unindexedText: 't.text' }
/** As the message `own` has it. Costs a hundred times more. */
const OWN: Looked = {
  search: 'search_vector(message_text(own.topic, own.content))',
  text: 'message_text(own.topic, own.content)',
  unindexedText: 'message_text(own.topic, own.content)',
  senderId: 'own.sender_id',
  marks: 'message_marks(own.topic, own.has_link, own.has_image, own.has_attachment)',
}

/** Tests of a text, written as the indexes are, so that they serve. A text of stop words alone is in no message. */
function holds(
  { search, text, unindexedText }: Looked,
  { words, runs, literals }: SearchText,
  parameters: Parameters,
): string {
  const tests = [
    ...literals.map((literal) => {
      const looked = hasParts(literal) ? text : unindexedText
      return `${looked} ilike ${parameters.add(likePattern(literal), 'text')}`
    }),
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

/** Which kept texts to look at: all, those in the CTE `places`, or those in some blocks. */
export type Part = 'all' | 'places' | { readonly blocks: readonly number[] }

/**
 * SQL: ID and place of the messages whose texts meet a narrow, wherever they are or, in a narrow of one place, in it;
 * of the kept ones, those in the part. Of the newest, those whose text isn't kept yet are looked at themselves.
 */
export function textsFound(narrow: Narrow, parameters: Parameters, part: Part): string {
  // One by one: the planner takes the newest to be many, and would read all texts.
  return `
    ${keptIn(part, narrow, parameters)}
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

function keptIn(part: Part, narrow: Narrow, parameters: Parameters): string {
  const looked = part === 'all' && !isIndexed(narrow) ? PLAIN : KEPT
  const kept = `
    select t.message_id as id, t.recipient_id
      from message_texts t
     where ${meetsAll(looked, narrow, parameters)}`
  if (part === 'all') return kept
  if (part !== 'places') {
    return `${kept} and blocks_of(t.message_id) && ${parameters.add(part.blocks, 'bigint[]')}`
  }
  // Place by place, where the index intersects places and words; joined, it would give the words of everyone.
  return `
    select t.id, t.recipient_id
      from places
     cross join lateral (${kept} and t.recipient_id = places.recipient_id offset 0) t`
}

/** Whether the index helps with anything that texts can tell of a narrow. */
function isIndexed(narrow: Narrow): boolean {
  return (
    onlyPlaceOf(narrow) !== null ||
    narrow.conditions.some((one) =>
      one.kind === 'search' && !one.isNegated
        ? one.words !== '' || one.runs.length > 0 || one.literals.some(hasParts)
        : isToldByTexts(one),
    )
  )
}

/** The one place that a narrow looks at; null if there may be several. */
export function onlyPlaceOf({ scope }: Narrow): number | null {
  if (scope.kind === 'channel') return scope.channel.recipientId
  return scope.kind === 'conversation' ? scope.recipientId : null
}

/** SQL: the rows of which the planner is asked how many there are. */
export function textsCounted(narrow: Narrow, parameters: Parameters): string {
  return `select from message_texts t where ${meetsAll(PLAIN, narrow, parameters)}`
}

import { pairsQuery } from '../kernel/text/unspaced.rules.ts'
import type { Condition, Narrow, SearchText } from './narrow.ts'
import { createParameters, type Parameters } from './parameters.ts'
import { hasTrigram, likePattern } from './search-text.rules.ts'

/**
 * How many of the newest messages are checked for texts that aren't indexed yet. The indexer is rarely a hundred
 * behind; if it is further behind, older messages are found once they are indexed.
 */
const MAX_UNINDEXED = 10_000

/** SQL expressions of a text and its indexed properties. */
interface TextColumns {
  readonly search: string
  readonly text: string
  /**
   * The text for tests that no index helps with, or the planner would read all texts rather than use another
   * condition's index.
   */
  readonly unindexedText: string
  readonly senderId: string
  readonly marks: string
}

/** As indexed in `message_texts t`. */
const INDEXED: TextColumns = {
  search: 't.search',
  text: 't.text',
  unindexedText: "(t.text || '')",
  senderId: 't.sender_id',
  marks: 't.marks',
}
/** The same if no other condition has an index, or for estimates: statistics exist for plain columns only. */
const INDEXED_PLAIN: TextColumns = { ...INDEXED, unindexedText: 't.text' }
/** Computed from the message `own`, which costs a hundred times more. */
const UNINDEXED: TextColumns = {
  search: 'search_vector(message_text(own.topic, own.content))',
  text: 'message_text(own.topic, own.content)',
  unindexedText: 'message_text(own.topic, own.content)',
  senderId: 'own.sender_id',
  marks: 'message_marks(own.topic, own.has_link, own.has_image, own.has_attachment)',
}

/**
 * SQL: conditions on a text, written like the indexes, so that they are used. A search for stop words only matches
 * nothing.
 */
function buildTextTests(
  { search, text, unindexedText }: TextColumns,
  { words, runs, literals }: SearchText,
  parameters: Parameters,
): string {
  const tests = [
    ...literals.map((literal) => {
      const columns = hasTrigram(literal) ? text : unindexedText
      return `${columns} ilike ${parameters.add(likePattern(literal), 'text')}`
    }),
    // The pairs narrow down the candidates; the second condition requires the whole run.
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
 * SQL: whether the text of the message `m` contains the searched text, indexed or not. Uses only the ID of `m`, so
 * that an index alone can provide the candidates.
 */
export function containsText(text: SearchText, parameters: Parameters): string {
  return `coalesce((select ${buildTextTests(INDEXED, text, parameters)} from message_texts t where t.message_id = m.id),
                   (select ${buildTextTests(UNINDEXED, text, parameters)} from messages own where own.id = m.id))`
}

/** Whether a condition requires messages to contain a text. */
export const isSearch = (one: Condition): boolean => one.kind === 'search' && !one.isNegated

/** SQL: whether a message meets a condition, from its text row; null if the text row can't decide. */
function testOfText(columns: TextColumns, one: Condition, parameters: Parameters): string | null {
  if (one.isNegated) return null
  switch (one.kind) {
    case 'search':
      return buildTextTests(columns, one, parameters)
    case 'sender':
      return `${columns.senderId} = ${parameters.add(one.userId, 'bigint')}`
    case 'resolved':
      return `${columns.marks} @> '{resolved}'`
    case 'has':
      return one.what === 'reaction' ? null : `${columns.marks} @> '{${one.what}}'`
    default:
      return null
  }
}

/** Whether text rows alone decide a condition, so that messages need not be read for it. */
export const isDecidedByTexts = (one: Condition): boolean =>
  testOfText(INDEXED, one, createParameters()) !== null

/** SQL: all conditions of a narrow that text rows can decide, joined with `and`. */
function meetsAll(columns: TextColumns, narrow: Narrow, parameters: Parameters): string {
  const recipientId = onlyRecipientOf(narrow)
  const tests = narrow.conditions.map((one) => testOfText(columns, one, parameters))
  if (recipientId !== null) tests.push(`recipient_id = ${parameters.add(recipientId, 'bigint')}`)
  return tests.filter((test) => test !== null).join(' and ')
}

/** Which indexed texts to read: all, those of the recipients in the CTE `recipient_ranges`, or those in some blocks. */
export type TextPart = 'all' | 'by_recipient' | { readonly blocks: readonly number[] }

/**
 * SQL: ID and recipient of the messages whose texts match a narrow; for a narrow with one recipient, only its
 * messages. Of the indexed texts, those in the part. Of the newest messages, those that aren't indexed yet are read
 * themselves.
 */
export function textsFound(narrow: Narrow, parameters: Parameters, part: TextPart): string {
  // Row by row: the planner expects the newest messages to be many, and would read all texts.
  return `
    ${indexedIn(part, narrow, parameters)}
     union all
    select own.id, own.recipient_id
      from (select *
              from messages
             where id > (select up_to from search_progress)
             order by id desc
             limit ${MAX_UNINDEXED}) own
     where (select t.message_id from message_texts t where t.message_id = own.id) is null
       and ${meetsAll(UNINDEXED, narrow, parameters)}`
}

function indexedIn(part: TextPart, narrow: Narrow, parameters: Parameters): string {
  const columns = part === 'all' && !isIndexed(narrow) ? INDEXED_PLAIN : INDEXED
  const indexed = `
    select t.message_id as id, t.recipient_id
      from message_texts t
     where ${meetsAll(columns, narrow, parameters)}`
  if (part === 'all') return indexed
  if (part !== 'by_recipient') {
    return `${indexed} and blocks_of(t.message_id) && ${parameters.add(part.blocks, 'bigint[]')}`
  }
  // Recipient by recipient, where the index intersects recipients and words; a join would read the words of all users.
  return `
    select t.id, t.recipient_id
      from recipient_ranges
     cross join lateral (${indexed} and t.recipient_id = recipient_ranges.recipient_id offset 0) t`
}

/** Whether an index helps with any condition of a narrow on texts. */
function isIndexed(narrow: Narrow): boolean {
  return (
    onlyRecipientOf(narrow) !== null ||
    narrow.conditions.some((one) =>
      one.kind === 'search' && !one.isNegated
        ? one.words !== '' || one.runs.length > 0 || one.literals.some(hasTrigram)
        : isDecidedByTexts(one),
    )
  )
}

/** The only recipient of a narrow; null if there may be several. */
export function onlyRecipientOf({ scope }: Narrow): number | null {
  if (scope.kind === 'channel') return scope.channel.recipientId
  return scope.kind === 'conversation' ? scope.recipientId : null
}

/** SQL: the rows whose number the planner estimates. */
export function textsCounted(narrow: Narrow, parameters: Parameters): string {
  return `select from message_texts t where ${meetsAll(INDEXED_PLAIN, narrow, parameters)}`
}

import type { Caller } from '@tms/service-kit'
import { listMessageViews } from '../messages/message-view.queries.ts'
import { canSeeMessage } from '../messages/message-view.rules.ts'
import { findChannelPlace } from '../messages/posting-place.queries.ts'
import type { Meaning, Resolving } from './meaning.ts'
import { badNarrow, operatorName, parseMessageId, type Term } from './narrow.rules.ts'

const PLACES: ReadonlySet<string> = new Set(['channel', 'topic', 'dm'])
const namesPlace = ({ operator, isNegated }: Term) => !isNegated && PLACES.has(operatorName(operator))

/**
 * What a `with` term means: the conversation in which its message stands now, instead of where the other terms
 * remember it. Of a message that the caller can't see it means nothing, so that a link goes on leading to the
 * place it names. Throws BAD_NARROW where there is no such place either.
 */
export async function findTarget(
  context: Resolving,
  caller: Caller,
  terms: readonly Term[],
): Promise<{ meanings: readonly Meaning[]; others: readonly Term[] }> {
  const others = terms.filter(({ operator }) => operator !== 'with')
  const [term, second] = terms.filter(({ operator }) => operator === 'with')
  if (!term) return { meanings: [], others }
  if (second) throw badNarrow("duplicate 'with' operators")

  const meanings = await findConversationOf(context, caller, parseMessageId(term.operand))
  if (meanings) return { meanings, others: others.filter((other) => !namesPlace(other)) }
  if (!others.some(namesPlace)) throw badNarrow("invalid 'with' operand")
  return { meanings: [], others }
}

async function findConversationOf(
  { db }: Resolving,
  caller: Caller,
  messageId: number,
): Promise<readonly Meaning[] | null> {
  const [view] = await listMessageViews(db, caller, [messageId], {})
  if (!view || !canSeeMessage(caller, view)) return null
  if (!view.channel) return [{ place: { conversationId: view.recipientId } }]
  const place = await findChannelPlace(db, caller, { id: view.channel.id })
  if (!place) return null
  return [{ place }, { condition: { kind: 'topic', topic: view.topic, isNegated: false } }]
}

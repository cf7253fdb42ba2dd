import type { Caller } from '@tms/service-kit'
import { findVisibleMessage } from '../kernel/messages/visible-message.ts'
import type { Meaning, ResolveContext } from './meaning.ts'
import { badNarrow, operatorName, parseMessageId, type Term } from './narrow.rules.ts'
import { findReadChannel } from './resolve-term.ts'

const TARGET_OPERATORS: ReadonlySet<string> = new Set(['channel', 'topic', 'dm'])
const namesTarget = ({ operator, isNegated }: Term) =>
  !isNegated && TARGET_OPERATORS.has(operatorName(operator))

/**
 * Resolves a `with` term to the current conversation of its message, which replaces the one that other terms name. If
 * the caller can't see the message, the term is ignored, so that a link still leads to the conversation it names.
 * Throws BAD_NARROW if it names none.
 */
export async function resolveWith(
  context: ResolveContext,
  caller: Caller,
  terms: readonly Term[],
): Promise<{ meanings: readonly Meaning[]; others: readonly Term[] }> {
  const others = terms.filter(({ operator }) => operator !== 'with')
  const [term, second] = terms.filter(({ operator }) => operator === 'with')
  if (!term) return { meanings: [], others }
  if (second) throw badNarrow("duplicate 'with' operators")

  const meanings = await findConversationOf(context, caller, parseMessageId(term.operand))
  if (meanings) return { meanings, others: others.filter((other) => !namesTarget(other)) }
  if (!others.some(namesTarget)) throw badNarrow("invalid 'with' operand")
  return { meanings: [], others }
}

async function findConversationOf(
  { db }: ResolveContext,
  caller: Caller,
  messageId: number,
): Promise<readonly Meaning[] | null> {
  const view = await findVisibleMessage(db, caller, messageId, { withArchived: true })
  if (!view) return null
  if (!view.channel) return [{ target: { conversationId: view.recipientId } }]
  const target = await findReadChannel(db, caller, { id: view.channel.id })
  if (!target) return null
  return [{ target }, { condition: { kind: 'topic', topic: view.topic, isNegated: false } }]
}

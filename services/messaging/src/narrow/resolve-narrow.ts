import type { Caller } from '@tms/service-kit'
import { canReadHistory } from '../channels/channel.rules.ts'
import type { Context } from '../context.ts'
import { findConversation } from '../messages/conversation.queries.ts'
import { type ChannelPlace, findChannelPlace } from '../messages/posting-place.queries.ts'
import { badNarrow, operatorName, parseMessageId, parseState, type Term } from './narrow.rules.ts'
import type { Condition, Narrow, Scope } from './narrow.ts'

type Resolving = Pick<Context, 'db' | 'directory'>

/** What a term turned out to mean; `place` is set where it can be the scope. */
interface Meaning {
  readonly condition?: Condition
  readonly place?: ChannelPlace | { readonly conversationId: number | null }
  readonly only?: 'channels' | 'conversations'
  readonly reading?: 'unread' | 'read'
}

/**
 * Looks up what a narrow names and settles where to look.
 * Throws BAD_NARROW.
 */
export async function resolveNarrow(
  context: Resolving,
  caller: Caller,
  terms: readonly Term[],
): Promise<Narrow> {
  refuseBothKinds(terms)
  const meanings: Meaning[] = []
  for (const term of terms) meanings.push(await resolveTerm(context, caller, term))

  const readings = new Set(meanings.flatMap(({ reading }) => reading ?? []))
  const [reading = null] = readings
  const conditions = meanings.flatMap(({ condition }) => condition ?? [])
  const hasState = terms.some(({ operator }) => operator === 'is')
  const scope = readings.size > 1 ? ({ kind: 'nothing' } as const) : scopeOf(caller, meanings, hasState)
  return { scope, reading, conditions }
}

/** The first term that names a place is the scope; that it is a condition too does no harm. */
function scopeOf(caller: Caller, meanings: readonly Meaning[], hasState: boolean): Scope {
  const place = meanings.find((meaning) => meaning.place)?.place
  if (place && 'channel' in place) {
    const { channel, isSubscribed } = place
    const withHistory = !hasState && canReadHistory(caller, channel, { isActive: isSubscribed })
    return { kind: 'channel', channel, withHistory }
  }
  if (place) {
    if (place.conversationId === null) return { kind: 'nothing' }
    return { kind: 'conversation', recipientId: place.conversationId }
  }
  const kinds = new Set(meanings.flatMap(({ only }) => only ?? []))
  if (kinds.size > 1) return { kind: 'nothing' }
  return { kind: 'received', only: [...kinds][0] ?? null }
}

function refuseBothKinds(terms: readonly Term[]): void {
  const required = terms.filter(({ isNegated }) => !isNegated)
  const asksForChannel = required.some(({ operator }) =>
    ['channel', 'topic'].includes(operatorName(operator)),
  )
  const asksForDirect = required.some(
    ({ operator, operand }) =>
      operatorName(operator) === 'dm' || (operator === 'is' && (operand === 'dm' || operand === 'private')),
  )
  if (asksForChannel && asksForDirect) {
    throw badNarrow('No message can be both a channel message and direct message')
  }
}

async function resolveTerm(context: Resolving, caller: Caller, term: Term): Promise<Meaning> {
  const { operand, isNegated } = term
  switch (operatorName(term.operator)) {
    case 'channel': {
      const place = await findChannel(context, caller, operand)
      const condition = { kind: 'channel', channelId: place.channel.id, isNegated } as const
      return isNegated ? { condition } : { condition, place }
    }
    case 'topic': {
      const condition = { kind: 'topic', topic: String(operand), isNegated } as const
      return isNegated ? { condition } : { condition, only: 'channels' }
    }
    case 'dm': {
      const conversationId = await findDirect(context, caller, operand)
      const condition = { kind: 'conversation', recipientId: conversationId ?? 0, isNegated } as const
      return isNegated ? { condition } : { condition, place: { conversationId } }
    }
    case 'sender':
      return { condition: { kind: 'sender', userId: await findSender(context, caller, operand), isNegated } }
    case 'id':
      return { condition: { kind: 'id', messageId: parseMessageId(operand), isNegated } }
    case 'is':
      return resolveState(term)
    case 'near':
      return {}
    default:
      throw badNarrow(`unknown operator ${term.operator}`)
  }
}

function resolveState({ operand, isNegated }: Term): Meaning {
  const state = parseState(operand)
  switch (state) {
    case 'direct':
      return { only: isNegated ? 'channels' : 'conversations' }
    case 'unread':
      return { reading: isNegated ? 'read' : 'unread' }
    case 'resolved': {
      const condition = { kind: state, isNegated } as const
      return isNegated ? { condition } : { condition, only: 'channels' }
    }
    default:
      return { condition: { kind: state, isNegated } }
  }
}

async function findChannel(
  { db }: Resolving,
  caller: Caller,
  operand: Term['operand'],
): Promise<ChannelPlace> {
  const reference = typeof operand === 'number' ? { id: operand } : { name: String(operand) }
  const place = await findChannelPlace(db, caller, reference)
  if (!place) throw badNarrow(`unknown channel ${String(operand)}`)
  return place
}

async function findSender(
  { directory }: Resolving,
  { realmId }: Caller,
  operand: Term['operand'],
): Promise<number> {
  const sender =
    typeof operand === 'number'
      ? (await directory.findUsersByIds(realmId, [operand])).get(operand)
      : (await directory.findUsersByEmails(realmId, [String(operand)])).get(String(operand).toLowerCase())
  if (!sender) throw badNarrow(`unknown user ${String(operand)}`)
  return sender.user_id
}

/** The conversation with exactly the named users and the caller; null if they have never written. */
async function findDirect(
  { db, directory }: Resolving,
  { realmId, userId }: Caller,
  operand: Term['operand'],
): Promise<number | null> {
  const ids =
    typeof operand === 'object' ? operand : await findIdsByEmail(directory, realmId, String(operand))
  if (ids.length === 0) throw badNarrow('a conversation needs someone to be with')
  const found = await directory.findUsersByIds(realmId, ids)
  const unknown = ids.find((id) => !found.has(id))
  if (unknown !== undefined) throw badNarrow(`unknown user in ${String(operand)}`)
  const members = [...new Set([...ids, userId])].sort((a, b) => a - b)
  return findConversation(db, realmId, members)
}

async function findIdsByEmail(
  directory: Context['directory'],
  realmId: number,
  text: string,
): Promise<number[]> {
  const emails = text
    .split(',')
    .map((email) => email.trim().toLowerCase())
    .filter((email) => email !== '')
  const found = await directory.findUsersByEmails(realmId, emails)
  return emails.map((email) => {
    const user = found.get(email)
    if (!user) throw badNarrow(`unknown user in ${text}`)
    return user.user_id
  })
}

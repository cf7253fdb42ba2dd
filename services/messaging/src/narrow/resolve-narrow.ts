import { Role } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { canReadHistory } from '../channels/channel.rules.ts'
import { findTarget } from './find-target.ts'
import type { Meaning, Resolving } from './meaning.ts'
import { badNarrow, operatorName, type Term } from './narrow.rules.ts'
import type { Condition, Narrow, Scope } from './narrow.ts'
import { resolveTerm } from './resolve-term.ts'

/**
 * Looks up what a narrow names and settles where to look.
 * Throws BAD_NARROW.
 */
export async function resolveNarrow(
  context: Resolving,
  caller: Caller,
  terms: readonly Term[],
): Promise<Narrow> {
  const { meanings: target, others } = await findTarget(context, caller, terms)
  refuseBothKinds(others)
  const meanings: Meaning[] = [...target]
  for (const term of others) meanings.push(await resolveTerm(context, caller, term))

  const readings = new Set(meanings.flatMap(({ reading }) => reading ?? []))
  const [reading = null] = readings
  const hasState = terms.some(({ operator }) => operator === 'is')
  const scope = readings.size > 1 ? ({ kind: 'nothing' } as const) : scopeOf(caller, meanings, hasState)
  return { scope, reading, conditions: conditionsIn(scope, meanings) }
}

/** What is asked of messages in a scope. */
export function conditionsIn(scope: Scope, meanings: readonly Meaning[]): Condition[] {
  const namesChannel = scope.kind === 'channel'
  return meanings
    .flatMap(({ condition }) => condition ?? [])
    .filter((one) => !isSettledBy(scope, one))
    .map((one) => (one.kind === 'home' ? { ...one, namesChannel } : one))
}

/** Whether nothing outside a condition is in the scope, so that no message need be asked. */
function isSettledBy(scope: Scope, { kind, isNegated }: Condition): boolean {
  if (isNegated) return false
  if (kind === 'open_channel') return scope.kind === 'received' || scope.kind === 'public_channels'
  return kind === 'including' && scope.kind === 'received'
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
  const openness = meanings.flatMap((meaning) => meaning.openness ?? [])
  if (openness.includes('public') && !hasState && caller.role <= Role.member) {
    return { kind: 'public_channels', realmId: caller.realmId, openness }
  }
  const including = meanings.flatMap((meaning) => meaning.including ?? [])
  return { kind: 'received', only: [...kinds][0] ?? null, openness, including }
}

const OF_CHANNELS: ReadonlySet<string> = new Set(['channel', 'channels', 'topic'])
const OF_CONVERSATIONS: ReadonlySet<string> = new Set(['dm', 'dm-including', 'group-pm-with'])

function refuseBothKinds(terms: readonly Term[]): void {
  const required = terms.filter(({ isNegated }) => !isNegated)
  const asksForChannel = required.some(({ operator }) => OF_CHANNELS.has(operatorName(operator)))
  const asksForDirect = required.some(
    ({ operator, operand }) =>
      OF_CONVERSATIONS.has(operatorName(operator)) ||
      (operator === 'is' && (operand === 'dm' || operand === 'private')),
  )
  if (asksForChannel && asksForDirect) {
    throw badNarrow('No message can be both a channel message and direct message')
  }
}

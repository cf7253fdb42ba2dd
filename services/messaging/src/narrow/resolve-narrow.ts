import { canAccessPublicChannels } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { canReadArchivedHistory, readingMembership } from '../kernel/access/channel.rules.ts'
import type { Meaning, ResolveContext } from './meaning.ts'
import { badNarrow, operatorName, type Term } from './narrow.rules.ts'
import type { Condition, Narrow, Scope } from './narrow.ts'
import { resolveTerm } from './resolve-term.ts'
import { resolveWith } from './resolve-with.ts'

/** Looks up what a narrow names and determines where to search. Throws BAD_NARROW. */
export async function resolveNarrow(
  context: ResolveContext,
  caller: Caller,
  terms: readonly Term[],
): Promise<Narrow> {
  const { meanings: target, others } = await resolveWith(context, caller, terms)
  refuseMixedKinds(others)
  const meanings: Meaning[] = [...target]
  for (const term of others) meanings.push(await resolveTerm(context, caller, term))

  const readings = new Set(meanings.flatMap(({ reading }) => reading ?? []))
  const [reading = null] = readings
  const hasState = terms.some(({ operator }) => operator === 'is')
  const scope = readings.size > 1 ? ({ kind: 'nothing' } as const) : scopeOf(caller, meanings, hasState)
  return { scope, reading, conditions: conditionsIn(scope, meanings) }
}

/** The conditions that remain within a scope. */
export function conditionsIn(scope: Scope, meanings: readonly Meaning[]): Condition[] {
  const namesChannel = scope.kind === 'channel'
  return meanings
    .flatMap(({ condition }) => condition ?? [])
    .filter((one) => !isImpliedBy(scope, one))
    .map((one) => (one.kind === 'home' ? { ...one, namesChannel } : one))
}

/** Whether every message in the scope meets the condition anyway. */
function isImpliedBy(scope: Scope, { kind, isNegated }: Condition): boolean {
  if (isNegated) return false
  if (kind === 'open_channel') return scope.kind === 'received' || scope.kind === 'public_channels'
  return kind === 'including' && scope.kind === 'received'
}

/** The first term that names a channel or conversation is the scope; it remains a condition too, which does no harm. */
function scopeOf(caller: Caller, meanings: readonly Meaning[], hasState: boolean): Scope {
  const target = meanings.find((meaning) => meaning.target)?.target
  if (target && 'channel' in target) {
    const { channel } = target
    const withHistory = !hasState && canReadArchivedHistory(caller, channel, readingMembership(target))
    return { kind: 'channel', channel, withHistory }
  }
  if (target) {
    if (target.conversationId === null) return { kind: 'nothing' }
    return { kind: 'conversation', recipientId: target.conversationId }
  }
  const kinds = new Set(meanings.flatMap(({ only }) => only ?? []))
  if (kinds.size > 1) return { kind: 'nothing' }
  const openness = meanings.flatMap((meaning) => meaning.openness ?? [])
  if (openness.includes('public') && !hasState && canAccessPublicChannels(caller.role)) {
    return { kind: 'public_channels', realmId: caller.realmId, openness }
  }
  const including = meanings.flatMap((meaning) => meaning.including ?? [])
  return { kind: 'received', only: [...kinds][0] ?? null, openness, including }
}

const OF_CHANNELS: ReadonlySet<string> = new Set(['channel', 'channels', 'topic'])
const OF_CONVERSATIONS: ReadonlySet<string> = new Set(['dm', 'dm-including', 'group-pm-with'])

function refuseMixedKinds(terms: readonly Term[]): void {
  const required = terms.filter(({ isNegated }) => !isNegated)
  const requiresChannel = required.some(({ operator }) => OF_CHANNELS.has(operatorName(operator)))
  const requiresDirect = required.some(
    ({ operator, operand }) =>
      OF_CONVERSATIONS.has(operatorName(operator)) ||
      (operator === 'is' && (operand === 'dm' || operand === 'private')),
  )
  if (requiresChannel && requiresDirect) {
    throw badNarrow('No message can be both a channel message and direct message')
  }
}

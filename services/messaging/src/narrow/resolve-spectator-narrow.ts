import { AppError } from '@tms/contracts'
import { canAccessChannel } from '../kernel/access/channel.rules.ts'
import { findChannelTarget } from '../kernel/messages/posting-target.queries.ts'
import type { Reader } from '../kernel/spectators/reader.ts'
import { userIdIn } from '../kernel/spectators/shown-user.rules.ts'
import type { Meaning, ResolveContext } from './meaning.ts'
import { badNarrow, operatorName, type Term } from './narrow.rules.ts'
import type { Narrow, Scope } from './narrow.ts'
import { conditionsIn } from './resolve-narrow.ts'
import { resolveTerm } from './resolve-term.ts'
import { checkSpectatorTerms, requiresWebPublic } from './spectator-narrow.rules.ts'

/**
 * `resolveNarrow` for a spectator: the whole history of one web-public channel, or of all. Throws UNAUTHORIZED for a
 * narrow that isn't about web-public channels, whether or not the channel that it names exists, and BAD_NARROW.
 */
export async function resolveSpectatorNarrow(
  context: ResolveContext,
  spectator: Reader,
  terms: readonly Term[],
): Promise<Narrow> {
  checkSpectatorTerms(terms)
  await checkChannels(context, spectator, terms)
  const meanings: Meaning[] = []
  for (const term of await withSenderIds(context, spectator, terms))
    meanings.push(await resolveTerm(context, spectator, term))
  const scope = scopeOf(spectator, meanings)
  return { scope, reading: null, conditions: conditionsIn(scope, meanings) }
}

function scopeOf({ realmId }: Reader, meanings: readonly Meaning[]): Scope {
  const target = meanings.find((meaning) => meaning.target)?.target
  if (target && 'channel' in target) return { kind: 'channel', channel: target.channel, withHistory: true }
  const openness = meanings.flatMap((meaning) => meaning.openness ?? [])
  return { kind: 'public_channels', realmId, openness: ['web-public', ...openness] }
}

/** A channel that isn't web-public is treated as unknown. */
async function checkChannels(
  { db }: ResolveContext,
  spectator: Reader,
  terms: readonly Term[],
): Promise<void> {
  let namesWebPublic = requiresWebPublic(terms)
  let unknown: Term | undefined
  for (const term of terms.filter(({ operator }) => operatorName(operator) === 'channel')) {
    const { operand, isNegated } = term
    const reference = typeof operand === 'number' ? { id: operand } : { name: String(operand) }
    const target = await findChannelTarget(db, spectator, reference)
    if (!target || !canAccessChannel(spectator, target.channel, null)) unknown ??= term
    else if (!isNegated) namesWebPublic = true
  }
  if (!namesWebPublic) throw new AppError('UNAUTHORIZED')
  if (unknown) throw badNarrow(`unknown channel ${String(unknown.operand)}`)
}

/** Spectators know senders by their IDs, and by e-mail addresses derived from them. */
async function withSenderIds(
  { projections }: ResolveContext,
  { realmId }: Reader,
  terms: readonly Term[],
): Promise<Term[]> {
  const realm = await projections.getRealm(realmId)
  return terms.map((term) => {
    if (operatorName(term.operator) !== 'sender' || typeof term.operand !== 'string') return term
    const userId = userIdIn(term.operand, realm)
    if (userId === null) throw badNarrow(`unknown user ${term.operand}`)
    return { ...term, operand: userId }
  })
}

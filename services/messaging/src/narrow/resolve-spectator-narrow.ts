import { AppError } from '@tms/contracts'
import { findChannelPlace } from '../messages/posting-place.queries.ts'
import type { Reader } from '../spectators/reader.ts'
import { userIdIn } from '../spectators/shown-user.rules.ts'
import type { Meaning, Resolving } from './meaning.ts'
import { badNarrow, operatorName, type Term } from './narrow.rules.ts'
import type { Narrow, Scope } from './narrow.ts'
import { conditionsIn } from './resolve-narrow.ts'
import { resolveTerm } from './resolve-term.ts'
import { asksForWebPublic, checkSpectatorTerms } from './spectator-narrow.rules.ts'

/**
 * The same as `resolveNarrow` for a spectator: the whole history of a web-public channel, or of all. Throws UNAUTHORIZED for a
 * narrow that isn't about web-public channels, whether the channel that it names exists or not, and BAD_NARROW.
 */
export async function resolveSpectatorNarrow(
  context: Resolving,
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
  const place = meanings.find((meaning) => meaning.place)?.place
  if (place && 'channel' in place) return { kind: 'channel', channel: place.channel, withHistory: true }
  const openness = meanings.flatMap((meaning) => meaning.openness ?? [])
  return { kind: 'public_channels', realmId, openness: ['web-public', ...openness] }
}

/** A channel that isn't web-public is as good as none. */
async function checkChannels({ db }: Resolving, spectator: Reader, terms: readonly Term[]): Promise<void> {
  let isOpened = asksForWebPublic(terms)
  let unknown: Term | undefined
  for (const term of terms.filter(({ operator }) => operatorName(operator) === 'channel')) {
    const { operand, isNegated } = term
    const reference = typeof operand === 'number' ? { id: operand } : { name: String(operand) }
    const place = await findChannelPlace(db, spectator, reference)
    if (!place?.channel.isWebPublic) unknown ??= term
    else if (!isNegated) isOpened = true
  }
  if (!isOpened) throw new AppError('UNAUTHORIZED')
  if (unknown) throw badNarrow(`unknown channel ${String(unknown.operand)}`)
}

/** Spectators know senders by IDs, and by the addresses that are made of them. */
async function withSenderIds(
  { directory }: Resolving,
  { realmId }: Reader,
  terms: readonly Term[],
): Promise<Term[]> {
  const realm = await directory.getRealm(realmId)
  return terms.map((term) => {
    if (operatorName(term.operator) !== 'sender' || typeof term.operand !== 'string') return term
    const userId = userIdIn(term.operand, realm)
    if (userId === null) throw badNarrow(`unknown user ${term.operand}`)
    return { ...term, operand: userId }
  })
}

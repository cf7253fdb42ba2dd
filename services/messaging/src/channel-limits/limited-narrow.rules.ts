import { AppError } from '@tms/contracts'
import { operatorName, type Term } from '../narrow/narrow.rules.ts'

/**
 * Operators that leave out messages of a channel. Others name or lead to messages elsewhere, such as `with`; new ones are refused
 * until they are known to do no more.
 */
const FILTERS: ReadonlySet<string> = new Set(['topic', 'sender', 'has', 'search', 'near', 'id', 'is'])

export const isChannelTerm = ({ operator }: Term): boolean => operatorName(operator) === 'channel'

/**
 * The term that names the one channel of a narrow. Throws TOKEN_LIMITED_TO_CHANNELS if it doesn't name one, or might be about
 * more.
 */
export function checkLimitedNarrow(terms: readonly Term[]): Term {
  const [channel, second] = terms.filter(isChannelTerm)
  const areFilters = terms.every((term) => isChannelTerm(term) || FILTERS.has(operatorName(term.operator)))
  if (!channel || channel.isNegated || second || !areFilters)
    throw new AppError('TOKEN_LIMITED_TO_CHANNELS', {
      message: `The API token is limited to channels: name one in the narrow, and beside it only ${[...FILTERS].join(', ')}`,
    })
  return channel
}

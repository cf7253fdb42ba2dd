import { AppError } from '@tms/contracts'
import { operatorName, type Term } from './narrow.rules.ts'

/** What spectators may ask for: nothing personal, nothing but channels. */
const OPERATORS: ReadonlySet<string> = new Set([
  'channels',
  'channel',
  'topic',
  'sender',
  'has',
  'search',
  'near',
  'id',
])

/** Whether a narrow asks for web-public channels as such. */
export function asksForWebPublic(terms: readonly Term[]): boolean {
  return terms.some(
    ({ operator, operand, isNegated }) =>
      !isNegated && operatorName(operator) === 'channels' && operand === 'web-public',
  )
}

/** Throws UNAUTHORIZED for a narrow with a term that only users may have, or that names no channels. */
export function checkSpectatorTerms(terms: readonly Term[]): void {
  const namesChannel = terms.some(
    ({ operator, isNegated }) => !isNegated && operatorName(operator) === 'channel',
  )
  const isAllowed = terms.every(({ operator }) => OPERATORS.has(operatorName(operator)))
  if (!isAllowed || !(namesChannel || asksForWebPublic(terms))) throw new AppError('UNAUTHORIZED')
}

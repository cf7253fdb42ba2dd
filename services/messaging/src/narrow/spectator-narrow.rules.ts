import { AppError } from '@tms/contracts'
import { operatorName, type Term } from './narrow.rules.ts'

/** Operators for spectators: nothing personal, channels only. */
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

/** Whether a narrow explicitly names web-public channels. */
export function requiresWebPublic(terms: readonly Term[]): boolean {
  return terms.some(
    ({ operator, operand, isNegated }) =>
      !isNegated && operatorName(operator) === 'channels' && operand === 'web-public',
  )
}

/** Throws UNAUTHORIZED for a narrow with a term for users only, or that names no channels. */
export function checkSpectatorTerms(terms: readonly Term[]): void {
  const namesChannel = terms.some(
    ({ operator, isNegated }) => !isNegated && operatorName(operator) === 'channel',
  )
  const isAllowed = terms.every(({ operator }) => OPERATORS.has(operatorName(operator)))
  if (!isAllowed || !(namesChannel || requiresWebPublic(terms))) throw new AppError('UNAUTHORIZED')
}

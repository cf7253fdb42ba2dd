import { AppError } from '@tms/contracts'
import { findLinkifierFaults, type LinkifierFaults } from '@tms/linkifiers'
import type { LinkifierText } from './linkifier.queries.ts'

/** More than any organization needs; every message is matched with all of them. */
const MAX_LINKIFIERS = 500

/** Validates a linkifier's input and returns it as it is stored. Throws BAD_REQUEST with `errors` by field. */
export function checkLinkifier(sent: { pattern: string; url_template: string }): LinkifierText {
  const pattern = sent.pattern.trim()
  const urlTemplate = sent.url_template.trim()
  const faults = findLinkifierFaults(pattern, urlTemplate)
  if (faults) throw invalid(faults)
  return { pattern, urlTemplate }
}

/** Throws BAD_REQUEST for a pattern that another linkifier of the organization has. */
export function checkUnique(
  others: readonly { readonly pattern: string }[],
  { pattern }: Pick<LinkifierText, 'pattern'>,
): void {
  if (others.some((other) => other.pattern === pattern))
    throw invalid({ __all__: ['There is a linkifier with this pattern already.'] })
}

/** Throws BAD_REQUEST if an organization with so many linkifiers can't have another. */
export function checkCount(count: number): void {
  if (count >= MAX_LINKIFIERS)
    throw invalid({ __all__: [`An organization has at most ${MAX_LINKIFIERS} linkifiers.`] })
}

function invalid(errors: LinkifierFaults): AppError {
  const [message = 'Invalid linkifier'] = Object.values(errors).flat()
  return new AppError('BAD_REQUEST', { message, details: { errors } })
}

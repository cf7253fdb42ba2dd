import { compilePattern } from './compile-pattern.ts'
import { templateVariables } from './template-variables.ts'

/** Error messages by field; `__all__` has those about both. */
export type LinkifierFaults = Partial<Record<'pattern' | 'url_template' | '__all__', string[]>>

/** In characters. Longer ones make every message slower to render. */
const MAX_LENGTH = 1_000

/**
 * What is wrong with a linkifier, or null. The pattern must be RE2, the template RFC 6570, and the template's
 * variables must be the pattern's named groups.
 */
export function findLinkifierFaults(pattern: string, urlTemplate: string): LinkifierFaults | null {
  const faults: LinkifierFaults = {}
  const textErrors = { pattern: describeInvalidText(pattern), url_template: describeInvalidText(urlTemplate) }
  if (textErrors.pattern !== null) faults.pattern = [textErrors.pattern]
  if (textErrors.url_template !== null) faults.url_template = [textErrors.url_template]
  if (textErrors.pattern !== null || textErrors.url_template !== null) return faults

  const variables = templateVariables(urlTemplate)
  if (variables === null) faults.url_template = ['This is no URL template as RFC 6570 defines them.']
  const compiled = compilePattern(pattern)
  if (compiled === null) faults.__all__ = ['The pattern is no regular expression of RE2.']
  else if (variables !== null) {
    const groups = new Set(Object.keys(compiled.namedGroups()))
    const mismatches = [
      ...[...groups]
        .filter((name) => !variables.has(name))
        .map((name) => `The URL template has no {${name}}.`),
      ...[...variables]
        .filter((name) => !groups.has(name))
        .map((name) => `The pattern has no group named ${name}.`),
    ]
    if (mismatches.length > 0) faults.__all__ = mismatches
  }
  return Object.keys(faults).length > 0 ? faults : null
}

function describeInvalidText(value: string): string | null {
  if (value.trim() === '') return 'This must not be empty.'
  return [...value].length > MAX_LENGTH ? `This has more than ${MAX_LENGTH} characters.` : null
}

import { compilePattern } from './compile-pattern.ts'
import { templateVariables } from './template-variables.ts'

/** What is wrong, by field; `__all__` is about both. */
export type LinkifierFaults = Partial<Record<'pattern' | 'url_template' | '__all__', string[]>>

/** Longer ones make every message slower to render. In characters. */
const MAX_LENGTH = 1_000

/**
 * What is wrong with a linkifier, or null: the pattern must be RE2, the template RFC 6570, and the variables of the
 * one the named groups of the other.
 */
export function findLinkifierFaults(pattern: string, urlTemplate: string): LinkifierFaults | null {
  const faults: LinkifierFaults = {}
  const unfit = { pattern: unfitText(pattern), url_template: unfitText(urlTemplate) }
  if (unfit.pattern !== null) faults.pattern = [unfit.pattern]
  if (unfit.url_template !== null) faults.url_template = [unfit.url_template]
  if (unfit.pattern !== null || unfit.url_template !== null) return faults

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

function unfitText(value: string): string | null {
  if (value.trim() === '') return 'This must not be empty.'
  return [...value].length > MAX_LENGTH ? `This has more than ${MAX_LENGTH} characters.` : null
}

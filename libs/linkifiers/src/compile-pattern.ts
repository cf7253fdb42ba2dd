import { RE2JS } from 're2js'

/** The group of a compiled pattern that holds what the pattern itself matched. */
export const MATCH_GROUP = 2

/**
 * A linkifier's pattern (RE2) as it is searched for: what it matches stands after the beginning, white space or an
 * opening sign, and before anything but a letter or a digit. Null for what the engine does not take.
 */
export function compilePattern(pattern: string): RE2JS | null {
  try {
    // Alone first: a bracket too many could close the group around it.
    RE2JS.compile(pattern)
    return RE2JS.compile(`(^|[\\s'"(,:<])(${pattern})(?:$|[^\\p{L}\\p{N}])`)
  } catch {
    return null
  }
}

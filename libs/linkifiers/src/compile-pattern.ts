import { RE2JS } from 're2js'

/** The group of a compiled pattern with what the linkifier's own pattern matched. */
export const MATCH_GROUP = 2

/**
 * Compiles a linkifier's pattern (RE2) for searching: a match follows the beginning of the text, white space or an
 * opening sign, and no letter or digit follows it. Null if the engine rejects the pattern.
 */
export function compilePattern(pattern: string): RE2JS | null {
  try {
    // Compiled alone first: an extra bracket could close the group around it.
    RE2JS.compile(pattern)
    return RE2JS.compile(`(^|[\\s'"(,:<])(${pattern})(?:$|[^\\p{L}\\p{N}])`)
  } catch {
    return null
  }
}

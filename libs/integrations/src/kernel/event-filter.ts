/** Which events the address of a sender lets through: names, with the wildcards `*`, `?` and `[…]` of a shell. */
export interface EventFilter {
  readonly onlyEvents: readonly string[] | null
  readonly excludeEvents: readonly string[] | null
}

/** Whether an event passes. Excluding wins; what has no name of an event passes. */
export function passes(event: string | null, { onlyEvents, excludeEvents }: EventFilter): boolean {
  if (event === null) return true
  if (excludeEvents?.some((pattern) => matchesPattern(event, pattern))) return false
  return onlyEvents === null || onlyEvents.some((pattern) => matchesPattern(event, pattern))
}

/** Names and patterns are short: the time of a comparison grows with the product of their lengths. */
const MAX_LENGTH = 255

/** Whether a whole text matches a pattern. Longer ones than 255 characters never do. */
export function matchesPattern(text: string, pattern: string): boolean {
  if (text.length > MAX_LENGTH || pattern.length > MAX_LENGTH) return false
  const parts = parse(pattern)
  let [at, part] = [0, 0]
  let [starPart, starAt] = [-1, 0]
  while (at < text.length) {
    const current = parts[part]
    if (current === '*') {
      starPart = part++
      starAt = at
    } else if (current !== undefined && current(text[at] as string)) {
      part++
      at++
    } else if (starPart >= 0) {
      part = starPart + 1
      at = ++starAt
    } else return false
  }
  while (parts[part] === '*') part++
  return part === parts.length
}

type Part = '*' | ((character: string) => boolean)

function parse(pattern: string): Part[] {
  const parts: Part[] = []
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i] as string
    const end = character === '[' ? pattern.indexOf(']', i + 2) : -1
    if (character === '*') parts.push('*')
    else if (character === '?') parts.push(() => true)
    else if (end > 0) {
      parts.push(oneOf(pattern.slice(i + 1, end)))
      i = end
    } else parts.push((other) => other === character)
  }
  return parts
}

/** The characters within brackets: single ones and ranges, or none of them after `!`. */
function oneOf(set: string): (character: string) => boolean {
  const isNegated = set.startsWith('!')
  const members = isNegated ? set.slice(1) : set
  const has = (character: string): boolean => {
    for (let i = 0; i < members.length; i++) {
      const [first, dash, last] = [members[i] as string, members[i + 1], members[i + 2]]
      if (dash === '-' && last !== undefined) {
        if (first <= character && character <= last) return true
        i += 2
      } else if (first === character) return true
    }
    return false
  }
  return (character) => has(character) !== isNegated
}

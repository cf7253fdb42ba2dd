import { emojiTable } from './emoji-table.ts'

/** An emoji in a text; `start` and `end` in code units. */
export interface FoundEmoji {
  readonly start: number
  readonly end: number
  readonly code: string
}

const PART = '\\p{Emoji}(?:\\p{EMod}|\\uFE0F)?(?:[\\u{E0020}-\\u{E007F}]{2,8})?'
/** What could be an emoji. No emoji has nearly so many parts as the bounds allow; they keep the search linear. */
const CANDIDATE = new RegExp(`\\p{RI}{2}|[0-9#*]\\uFE0F?\\u20E3|${PART}(?:\\u200D${PART}){0,9}`, 'gu')
const SELECTOR = '\u{FE0F}'
const AS_TEXT = '\u{FE0E}'
const JOINER = '\u{200D}'

/** Signs that are text before they are emoji: digits, ©, ™, arrows. */
const IS_SIGN = /^[\0-\u1FFF\u2100-\u22FF]$/

/** The emoji in a text, in order, each as long as it can be. Linear time. */
export function findEmoji(text: string): FoundEmoji[] {
  // Emoji of a single byte are signs, or digits with a mark; and nearly all text has none other.
  if (!/[^\0-\x7F]/.test(text)) return []
  const found: FoundEmoji[] = []
  CANDIDATE.lastIndex = 0
  for (let match = CANDIDATE.exec(text); match; match = CANDIDATE.exec(text)) {
    const written = longestKnown(match[0])
    if (written === null) continue
    const end = match.index + written.length
    CANDIDATE.lastIndex = end
    if (text.charAt(end) !== AS_TEXT) found.push({ start: match.index, end, code: codeOf(written) })
  }
  return found
}

/** The candidate without as many of its last parts as it takes to be an emoji. */
function longestKnown(candidate: string): string | null {
  if (IS_SIGN.test(candidate)) return null
  const { names } = emojiTable()
  for (let written = candidate; written !== ''; written = withoutLastPart(written)) {
    if (names.has(codeOf(written))) return IS_SIGN.test(written) ? null : written
  }
  return null
}

function withoutLastPart(written: string): string {
  const joiner = written.lastIndexOf(JOINER)
  if (joiner > 0) return written.slice(0, joiner)
  // A mark on an emoji that doesn't take it.
  const [first = ''] = written
  return first.length < written.length ? first : ''
}

function codeOf(written: string): string {
  return [...written]
    .filter((char) => char !== SELECTOR)
    .map((char) => (char.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
    .join('-')
}

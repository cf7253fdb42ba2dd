import { emojiTable } from './emoji-table.ts'

/** An emoji in a text; `start` and `end` in code units. */
export interface FoundEmoji {
  readonly start: number
  readonly end: number
  readonly code: string
}

const PART = '\\p{Emoji}(?:\\p{EMod}|\\uFE0F)?(?:[\\u{E0020}-\\u{E007F}]{2,8})?'
/** Matches what could be an emoji. No emoji has nearly as many parts as the bounds allow; they keep the search linear. */
const CANDIDATE = new RegExp(`\\p{RI}{2}|[0-9#*]\\uFE0F?\\u20E3|${PART}(?:\\u200D${PART}){0,9}`, 'gu')
const SELECTOR = '\u{FE0F}'
const AS_TEXT = '\u{FE0E}'
const JOINER = '\u{200D}'

/** Characters that are text by default: digits, ©, ™, arrows. */
const SIGN = /^[\0-\u1FFF\u2100-\u22FF]$/

/** Finds the emoji in a text, in order, each as long as possible. Linear time. */
export function findEmoji(text: string): FoundEmoji[] {
  // ASCII has no emoji but signs and digits with a mark, and most text is ASCII.
  if (!/[^\0-\x7F]/.test(text)) return []
  const found: FoundEmoji[] = []
  CANDIDATE.lastIndex = 0
  for (let match = CANDIDATE.exec(text); match; match = CANDIDATE.exec(text)) {
    const written = findLongestEmoji(match[0])
    if (written === null) continue
    const end = match.index + written.length
    CANDIDATE.lastIndex = end
    if (text.charAt(end) !== AS_TEXT) found.push({ start: match.index, end, code: codeOf(written) })
  }
  return found
}

/** The longest prefix of the candidate, by whole parts, that is an emoji. */
function findLongestEmoji(candidate: string): string | null {
  if (SIGN.test(candidate)) return null
  const { names } = emojiTable()
  for (let written = candidate; written !== ''; written = withoutLastPart(written)) {
    if (names.has(codeOf(written))) return SIGN.test(written) ? null : written
  }
  return null
}

function withoutLastPart(written: string): string {
  const joiner = written.lastIndexOf(JOINER)
  if (joiner > 0) return written.slice(0, joiner)
  // A modifier after an emoji that doesn't take it.
  const [first = ''] = written
  return first.length < written.length ? first : ''
}

function codeOf(written: string): string {
  return [...written]
    .filter((char) => char !== SELECTOR)
    .map((char) => (char.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
    .join('-')
}

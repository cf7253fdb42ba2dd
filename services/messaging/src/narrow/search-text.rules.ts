import { badRequest, limits } from '@tms/contracts'
import { takeOutRuns } from '../kernel/text/unspaced.rules.ts'
import { badNarrow, type Operand } from './narrow.rules.ts'
import type { SearchText } from './narrow.ts'

const QUOTED = /"([^"]+)"/g

/**
 * Splits a search text: parts in double quotes are literal, the rest is searched by words, and by runs of letters in
 * scripts without spaces. Throws BAD_REQUEST for a blank text and BAD_NARROW for one longer than any message.
 */
export function parseSearchText(operand: Operand): SearchText {
  const typed = String(operand)
  if (typed.trim() === '') throw badRequest('narrow: the operand of search is blank')
  if (typed.length > limits.maxMessageLength) throw badNarrow('search text is too long')
  const literals = [...typed.matchAll(QUOTED)].map(([, literal]) => literal ?? '')
  const { runs, rest } = takeOutRuns(typed.replace(QUOTED, ' '))
  return {
    words: rest.replace(/[<>]/g, ' ').trim(),
    runs,
    literals: literals.filter((one) => one.trim() !== ''),
  }
}

/** The pattern of `like` that finds a literal text anywhere. */
export function likePattern(literal: string): string {
  return `%${literal.replace(/[\\%_]/g, '\\$&')}%`
}

const LETTERS = /[\p{L}\p{N}]+/gu

/**
 * Whether the trigram index can find a literal. It pads words with two blanks in front and one behind, but the
 * outermost words of a literal may continue beyond it.
 */
export function hasTrigram(literal: string): boolean {
  return [...literal.matchAll(LETTERS)].some(({ 0: word, index }) => {
    const before = index > 0 ? 2 : 0
    const after = index + word.length < literal.length ? 1 : 0
    return before + [...word].length + after >= 3
  })
}

import { toUSVString } from 'node:util'
import { badRequest, limits } from '@tms/contracts'

/** An account's alert words, in the order in which they were added. */
export function alertWordsOf(account: { alertWords: unknown }): string[] {
  return account.alertWords as string[]
}

/**
 * Words as they are kept: trimmed, none empty, none twice. Half a character can't be stored and becomes U+FFFD.
 * Throws BAD_REQUEST for one that is too long.
 */
export function parseAlertWords(words: readonly string[]): string[] {
  const isTooLong = (word: string): boolean => [...word].length > limits.maxAlertWordLength
  if (words.some(isTooLong))
    throw badRequest(`An alert word has at most ${limits.maxAlertWordLength} characters`)
  return withoutRepeats(words.map((word) => toUSVString(word).trim()).filter((word) => word !== ''))
}

/** Words that are kept already stay as they are spelt. Throws BAD_REQUEST when they become too many or too long. */
export function addWords(kept: readonly string[], added: readonly string[]): string[] {
  const words = withoutRepeats([...kept, ...added])
  if (words.length > limits.maxAlertWords)
    throw badRequest(`You can have at most ${limits.maxAlertWords} alert words`)
  const characters = words.reduce((sum, word) => sum + [...word].length, 0)
  if (characters > limits.maxAlertWordCharacters)
    throw badRequest(`Your alert words can have at most ${limits.maxAlertWordCharacters} characters in all`)
  return words
}

/** Words that are not kept are passed over. */
export function removeWords(kept: readonly string[], removed: readonly string[]): string[] {
  const gone = new Set(removed.map(fold))
  return kept.filter((word) => !gone.has(fold(word)))
}

const fold = (word: string): string => word.toLowerCase()

/** The first spelling of each word. */
function withoutRepeats(words: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const word of words) if (!byKey.has(fold(word))) byKey.set(fold(word), word)
  return [...byKey.values()]
}

import { toUSVString } from 'node:util'
import { badRequest, limits } from '@tms/contracts'

/**
 * Normalizes words: trimmed, not empty, unique. A lone surrogate can't be stored and becomes U+FFFD. Throws
 * BAD_REQUEST for a word that is too long.
 */
export function parseAlertWords(words: readonly string[]): string[] {
  const isTooLong = (word: string): boolean => [...word].length > limits.maxAlertWordLength
  if (words.some(isTooLong))
    throw badRequest(`An alert word has at most ${limits.maxAlertWordLength} characters`)
  return withoutRepeats(words.map((word) => toUSVString(word).trim()).filter((word) => word !== ''))
}

/** Existing words keep their spelling. Throws BAD_REQUEST if there are too many words or characters. */
export function addWords(stored: readonly string[], added: readonly string[]): string[] {
  const words = withoutRepeats([...stored, ...added])
  if (words.length > limits.maxAlertWords)
    throw badRequest(`You can have at most ${limits.maxAlertWords} alert words`)
  const characters = words.reduce((sum, word) => sum + [...word].length, 0)
  if (characters > limits.maxAlertWordCharacters)
    throw badRequest(`Your alert words can have at most ${limits.maxAlertWordCharacters} characters in all`)
  return words
}

/** Ignores unknown words. */
export function removeWords(stored: readonly string[], removed: readonly string[]): string[] {
  const removedKeys = new Set(removed.map(fold))
  return stored.filter((word) => !removedKeys.has(fold(word)))
}

const fold = (word: string): string => word.toLowerCase()

/** Keeps the first spelling of each word. */
function withoutRepeats(words: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const word of words) if (!byKey.has(fold(word))) byKey.set(fold(word), word)
  return [...byKey.values()]
}

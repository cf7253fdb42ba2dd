import { emojiTable } from './emoji-table.ts'

/**
 * The code of the emoji that a name means, or null. A code is the dash-separated lower-case hex of the code points,
 * without variation selectors: `1f44d`, `1f1e9-1f1ea`.
 */
export function codeOfEmojiName(name: string): string | null {
  return emojiTable().codes.get(name) ?? null
}

/** The canonical name of an emoji; null for an unknown code. */
export function nameOfEmojiCode(code: string): string | null {
  return namesOfEmojiCode(code)[0] ?? null
}

/**
 * All names of an emoji, the canonical one first; empty for an unknown code. A name that the sources disagree about
 * belongs to several emoji, though `codeOfEmojiName` returns one.
 */
export function namesOfEmojiCode(code: string): readonly string[] {
  return emojiTable().names.get(code)?.split(' ') ?? []
}

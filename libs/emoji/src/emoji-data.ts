import { emojiTable } from './emoji-table.ts'

/** Every emoji that the server knows, for clients. */
export interface EmojiData {
  /** By code, the canonical name first. */
  readonly code_to_names: Readonly<Record<string, readonly string[]>>
  readonly name_to_code: Readonly<Record<string, string>>
}

/** Builds the document. It is large and never changes, so cache what you make of it. */
export function emojiData(): EmojiData {
  const { names, codes } = emojiTable()
  return {
    code_to_names: Object.fromEntries([...names].map(([code, text]) => [code, text.split(' ')])),
    name_to_code: Object.fromEntries(codes),
  }
}

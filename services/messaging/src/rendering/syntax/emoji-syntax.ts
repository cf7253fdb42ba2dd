/** Names have letters of all scripts, such as `ñ`. They are short; the bound keeps a text full of colons linear. */
const EMOJI_NAME = /:([\p{L}\p{M}\p{Nd}_+-]{1,100}):/gu

/** `:name:` in a text; `start` and `end` in code units. */
export interface WrittenEmoji {
  start: number
  end: number
  name: string
}

/** All candidates for an emoji by name, in order. They overlap if one colon could belong to two of them. */
export function readEmojiNames(text: string): WrittenEmoji[] {
  const found: WrittenEmoji[] = []
  EMOJI_NAME.lastIndex = 0
  for (let match = EMOJI_NAME.exec(text); match; match = EMOJI_NAME.exec(text)) {
    found.push({ start: match.index, end: EMOJI_NAME.lastIndex, name: match[1] ?? '' })
    EMOJI_NAME.lastIndex -= 1
  }
  return found
}

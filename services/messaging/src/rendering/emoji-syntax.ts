/** Names have letters of all scripts, such as `ñ`. They are short; the bound keeps text full of colons linear. */
const NAMED = /:([\p{L}\p{M}\p{Nd}_+-]{1,100}):/gu

/** `:name:` in a text; `start` and `end` in code units. */
export interface WrittenEmoji {
  start: number
  end: number
  name: string
}

/** All that could be an emoji by name, in order. They overlap where one colon could serve two of them. */
export function readEmojiNames(text: string): WrittenEmoji[] {
  const found: WrittenEmoji[] = []
  NAMED.lastIndex = 0
  for (let match = NAMED.exec(text); match; match = NAMED.exec(text)) {
    found.push({ start: match.index, end: NAMED.lastIndex, name: match[1] ?? '' })
    NAMED.lastIndex -= 1
  }
  return found
}

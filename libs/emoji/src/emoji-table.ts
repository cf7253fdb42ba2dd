import { readFileSync } from 'node:fs'

/** The format of data/emoji.json, which `tools/emoji-data.ts` writes. */
interface Source {
  /** Names by code, separated by spaces, the canonical one first. */
  readonly names: Readonly<Record<string, string>>
  /** The code that a name means, for names of several emoji. */
  readonly codeByAmbiguousName: Readonly<Record<string, string>>
}

export interface EmojiTable {
  /** Names by code, separated by spaces: an array for each would cost a megabyte. */
  readonly names: ReadonlyMap<string, string>
  readonly codes: ReadonlyMap<string, string>
}

let table: EmojiTable | null = null

/** All emoji. The table is loaded at the first use, since not every process needs it. */
export function emojiTable(): EmojiTable {
  table ??= readTable()
  return table
}

function readTable(): EmojiTable {
  const { names, codeByAmbiguousName } = JSON.parse(
    readFileSync(new URL('../data/emoji.json', import.meta.url), 'utf8'),
  ) as Source
  const codes = new Map<string, string>()
  for (const [code, text] of Object.entries(names)) {
    for (const name of text.split(' ')) codes.set(name, code)
  }
  for (const [name, code] of Object.entries(codeByAmbiguousName)) codes.set(name, code)
  return { names: new Map(Object.entries(names)), codes }
}

import { readFileSync } from 'node:fs'

/** As `tools/emoji-data.mjs` writes it. */
interface Source {
  /** By code, the names with spaces between, the canonical one first. */
  readonly names: Readonly<Record<string, string>>
  /** Whose a name is that several emoji have. */
  readonly owners: Readonly<Record<string, string>>
}

export interface EmojiTable {
  /** By code, the names with spaces between: an array for each would cost a megabyte. */
  readonly names: ReadonlyMap<string, string>
  readonly codes: ReadonlyMap<string, string>
}

let table: EmojiTable | null = null

/** Every emoji; read at the first question, because not every process that could ask does. */
export function emojiTable(): EmojiTable {
  table ??= readTable()
  return table
}

function readTable(): EmojiTable {
  const { names, owners } = JSON.parse(
    readFileSync(new URL('../data/emoji.json', import.meta.url), 'utf8'),
  ) as Source
  const codes = new Map<string, string>()
  for (const [code, text] of Object.entries(names)) {
    for (const name of text.split(' ')) codes.set(name, code)
  }
  for (const [name, code] of Object.entries(owners)) codes.set(name, code)
  return { names: new Map(Object.entries(names)), codes }
}

// Writes libs/emoji/data/emoji.json (the licences are beside it): every emoji of Unicode with the names that people and
// clients use. The source packages hold many languages (105 MB), so they are no dependencies of the project: install them
// into a separate folder.
//
//   npm install --prefix <folder> emojibase-data@17.0.0 cldr-annotations-full@45.0.0 &&
//     node tools/emoji-data.ts <folder>/node_modules
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Sets of names in use. Earlier sets take precedence; `cldr` comes from Unicode itself. */
const SETS = ['cldr', 'github', 'iamcal']
const FURTHER_SETS = ['emojibase', 'joypixels']
/**
 * From this version of Emoji on (2017), keywords of CLDR are names too: chat programs share names of older emoji, and derive
 * those of newer ones from keywords. CLDR 45 is the last version with few, fitting keywords; later ones have up to forty for
 * an emoji ("bae", "whatever").
 */
const FIRST_VERSION_WITH_KEYWORDS = 5
/** Group of parts of sequences, such as skin tones and hair, which get no keywords. */
const COMPONENTS = 2

const NAME = /^[\p{Ll}\p{Lo}\p{Mn}\p{Nd}+-][\p{Ll}\p{Lo}\p{Mn}\p{Nd}_+-]*$/u
const library = new URL('../libs/emoji/data/', import.meta.url)

interface EmojiSource {
  emoji: string
  label: string
  version: number
  order?: number
  group?: number
}
/** A code and names for it. */
type Claim = readonly [code: string, names: string[]]
type Annotations = Record<string, { default?: string[] }>

const source = process.argv[2]
if (source === undefined) throw new Error('name the folder of emojibase-data and cldr-annotations-full')
const readText = (path: string) => readFileSync(join(source, path), 'utf8')

const emojiOfUnicode: EmojiSource[] = JSON.parse(readText('emojibase-data/en/data.json'))
const emoji = emojiOfUnicode
  .map(({ emoji: written, label, version, order, group }) => ({
    code: toCode(written),
    label,
    version,
    order: order ?? Number.MAX_SAFE_INTEGER,
    group,
  }))
  .sort((a, b) => a.version - b.version || a.order - b.order)

// The first emoji to claim a name owns it.
const namesByCode = new Map<string, Set<string>>()
const codeByName = new Map<string, string>()
for (const [code, names] of [
  ...aliases(),
  ...labelsOfFlags(),
  ...SETS.flatMap(shortcodes),
  ...keywords(),
  ...FURTHER_SETS.flatMap(shortcodes),
]) {
  const known = namesByCode.get(code) ?? new Set<string>()
  namesByCode.set(code, known)
  for (const name of names.filter((each) => NAME.test(each))) {
    known.add(name)
    if (!codeByName.has(name)) codeByName.set(name, code)
  }
}

const codes = [...namesByCode]
  .filter(([, names]) => names.size > 0)
  .map(([code, names]) => [code, ownFirst(code, [...names])] as const)
  .sort(([a], [b]) => compare(a, b))
const counts = new Map<string, number>()
for (const name of codes.flatMap(([, names]) => names)) counts.set(name, (counts.get(name) ?? 0) + 1)
const shared = [...counts].filter(([, count]) => count > 1).map(([name]) => name)

const data = {
  names: Object.fromEntries(codes.map(([code, names]) => [code, names.join(' ')])),
  codeByAmbiguousName: Object.fromEntries(
    shared.toSorted(compare).map((name) => [name, codeByName.get(name)]),
  ),
}
writeFileSync(new URL('emoji.json', library), `${JSON.stringify(data, null, 2)}\n`)

/** The project's own names: each line has an emoji and its names, or is a comment. */
function aliases(): Claim[] {
  return readFileSync(new URL('aliases.txt', library), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => {
      const [written = '', ...names] = line.split(' ')
      const wrong = names.find((name) => !NAME.test(name))
      if (wrong !== undefined) throw new Error(`'${wrong}' is not a valid name`)
      return [toCode(written), names]
    })
}

/** Flags are named after their countries, with and without diacritical marks. */
function labelsOfFlags(): Claim[] {
  return emoji
    .filter(({ label }) => label.startsWith('flag: '))
    .map(({ code, label }) => [code, bothSpellings(label.replace('&', 'and'))])
}

function shortcodes(set: string): Claim[] {
  const names: Record<string, string | string[]> = JSON.parse(
    readText(`emojibase-data/en/shortcodes/${set}.json`),
  )
  return Object.entries(names).map(([sequence, ofEmoji]) => [
    // Variation selectors choose between text and picture; they don't distinguish emoji.
    sequence.toLowerCase().replaceAll('-fe0f', ''),
    [ofEmoji].flat(),
  ])
}

function keywords(): Claim[] {
  const {
    annotations: { annotations },
  }: { annotations: { annotations: Annotations } } = JSON.parse(
    readText('cldr-annotations-full/annotations/en/annotations.json'),
  )
  const byCode = new Map(
    Object.entries(annotations).map(([written, annotation]) => [toCode(written), annotation]),
  )
  return emoji
    .filter(({ version, group }) => version >= FIRST_VERSION_WITH_KEYWORDS && group !== COMPONENTS)
    .map(({ code }) => [code, (byCode.get(code)?.default ?? []).flatMap(bothSpellings).filter(isWord)])
}

/** Excludes numbers: between colons they are times. */
function isWord(name: string): boolean {
  return !/^\d+$/.test(name)
}

/** A text as a name, with and without diacritical marks. */
function bothSpellings(text: string): string[] {
  const name = text
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/['’.]/g, '')
    .split(/[^\p{L}\p{M}\p{N}+]+/u)
    .filter((word) => word !== '')
    .join('_')
  return [...new Set([name, name.normalize('NFD').replaceAll(/\p{Mn}/gu, '')])]
}

/** Puts a name that the emoji owns first, since the first name is displayed. */
function ownFirst(code: string, names: string[]): string[] {
  const own = names.find((name) => codeByName.get(name) === code)
  return own === undefined ? names : [own, ...names.filter((name) => name !== own)]
}

function toCode(written: string): string {
  return [...written]
    .map((char) => (char.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
    .filter((code) => code !== 'fe0f')
    .join('-')
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1
}

// Writes libs/emoji/data/emoji.json (its license stands beside it): every emoji of Unicode with the names that clients know it by. The source
// package holds thirty languages (49 MB), so it is no dependency: fetch it where this runs, in a folder of its own.
//
//   npm install --prefix <folder> emojibase-data@17.0.0 && node tools/emoji-data.mjs <folder>/node_modules/emojibase-data
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Earlier ones name an emoji first, and own a name that two emoji have. `cldr` comes from Unicode itself. */
const SETS = ['cldr', 'github', 'emojibase', 'iamcal', 'joypixels']

/**
 * What people type most goes before the names of Unicode: the first is canonical. These also settle whose a name is
 * where the sets disagree.
 */
const COMMON = {
  '1f389': ['tada'],
  '1f44b': ['wave'],
  '1f44c': ['ok'],
  '1f44d': ['thumbs_up', '+1', 'like'],
  '1f44e': ['thumbs_down', '-1'],
  '1f44f': ['clap'],
  '1f494': ['broken_heart'],
  '1f4a9': ['poop'],
  '1f4aa': ['muscle'],
  '1f4af': ['100'],
  '1f525': ['fire'],
  '1f600': ['grinning'],
  '1f602': ['joy'],
  '1f603': ['smiley'],
  '1f604': ['big_smile'],
  '1f605': ['sweat_smile'],
  '1f606': ['laughing'],
  '1f607': ['innocent'],
  '1f609': ['wink'],
  '1f60a': ['blush'],
  '1f60d': ['heart_eyes'],
  '1f60e': ['sunglasses'],
  '1f610': ['neutral'],
  '1f615': ['confused'],
  '1f61b': ['stuck_out_tongue'],
  '1f622': ['cry'],
  '1f62d': ['sob'],
  '1f62e': ['open_mouth'],
  '1f641': ['frown'],
  '1f642': ['smile'],
  '1f64c': ['raised_hands'],
  '1f64f': ['pray'],
  '1f6e0': ['working_on_it'],
  '1f697': ['car'],
  '1f914': ['thinking'],
  '1f923': ['rofl'],
  2705: ['check'],
  2753: ['question'],
  2764: ['heart'],
}

const compare = (a, b) => (a < b ? -1 : 1)
const source = process.argv[2]
if (source === undefined) throw new Error('name the folder of emojibase-data')
const read = (set) => JSON.parse(readFileSync(join(source, 'en', 'shortcodes', `${set}.json`), 'utf8'))

const namesByCode = new Map()
const codeByName = new Map()
const claims = [Object.entries(COMMON), ...SETS.map((set) => Object.entries(read(set)))].flat()
for (const [sequence, told] of claims) {
  // Variation selectors choose between text and picture; they are no part of what an emoji is.
  const code = sequence.toLowerCase().replaceAll('-fe0f', '')
  const names = namesByCode.get(code) ?? new Set()
  namesByCode.set(code, names)
  for (const name of [told].flat()) {
    if (!/^[a-z0-9+-][a-z0-9_+-]*$/.test(name)) continue
    names.add(name)
    if (!codeByName.has(name)) codeByName.set(name, code)
  }
}

const codes = [...namesByCode].filter(([, names]) => names.size > 0).sort(([a], [b]) => compare(a, b))
const counts = new Map()
for (const name of codes.flatMap(([, names]) => [...names])) counts.set(name, (counts.get(name) ?? 0) + 1)
const shared = [...counts].filter(([, count]) => count > 1).map(([name]) => name)

const data = {
  names: Object.fromEntries(codes.map(([code, names]) => [code, [...names].join(' ')])),
  owners: Object.fromEntries(shared.toSorted(compare).map((name) => [name, codeByName.get(name)])),
}
writeFileSync(new URL('../libs/emoji/data/emoji.json', import.meta.url), `${JSON.stringify(data, null, 2)}\n`)

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { codeOfEmojiName, nameOfEmojiCode } from './emoji-names.ts'

/** Facts about clients lie beside checkouts of this repository where it is developed, not in it. */
const FACTS = ['../../../../shared', '../../../../../shared']
  .map((folder) => new URL(`${folder}/reference/emoji-names.tsv`, import.meta.url))
  .find((url) => existsSync(url))

const describeWithFacts = FACTS === undefined ? describe.skip : describe

describeWithFacts('the names by which clients call emoji', () => {
  const rows = (FACTS === undefined ? '' : readFileSync(FACTS, 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [code = '', names = ''] = line.split('\t')
      return { code, names: names.split(' ') }
    })
  const pairs = rows.flatMap(({ code, names }) => names.map((name) => ({ code, name })))

  // What fails is counted, not named: our names aren't to be copied from the facts.
  test('mean these emoji, 99 of 100 at least', () => {
    const right = pairs.filter(({ code, name }) => codeOfEmojiName(name) === code)

    expect(pairs.length).toBeGreaterThan(2_900)
    expect(right.length / pairs.length).toBeGreaterThanOrEqual(0.99)
  })

  test('are those by which emoji are shown, 99 of 100 at least', () => {
    const right = rows.filter(({ code, names }) => nameOfEmojiCode(code) === names[0])

    expect(rows.length).toBeGreaterThan(1_800)
    expect(right.length / rows.length).toBeGreaterThanOrEqual(0.99)
  })
})

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { codeOfEmojiName, nameOfEmojiCode } from './emoji-names.ts'

/** The list of clients' names lies beside development checkouts of this repository, not in it. */
const NAMES_FILE = ['../../../../shared', '../../../../../shared']
  .map((folder) => new URL(`${folder}/reference/emoji-names.tsv`, import.meta.url))
  .find((url) => existsSync(url))

const describeWithNames = NAMES_FILE === undefined ? describe.skip : describe

describeWithNames('the names by which clients call emoji', () => {
  const rows = (NAMES_FILE === undefined ? '' : readFileSync(NAMES_FILE, 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [code = '', names = ''] = line.split('\t')
      return { code, names: names.split(' ') }
    })
  const pairs = rows.flatMap(({ code, names }) => names.map((name) => ({ code, name })))

  // Failures are counted, not named: our names must not be copied from this list.
  test('mean these emoji in at least 99 of 100 cases', () => {
    const right = pairs.filter(({ code, name }) => codeOfEmojiName(name) === code)

    expect(pairs.length).toBeGreaterThan(2_900)
    expect(right.length / pairs.length).toBeGreaterThanOrEqual(0.99)
  })

  test('are canonical in at least 99 of 100 cases', () => {
    const right = rows.filter(({ code, names }) => nameOfEmojiCode(code) === names[0])

    expect(rows.length).toBeGreaterThan(1_800)
    expect(right.length / rows.length).toBeGreaterThanOrEqual(0.99)
  })
})

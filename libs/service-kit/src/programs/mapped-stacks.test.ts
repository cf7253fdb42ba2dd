import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const mappedStacks = fileURLToPath(new URL('./mapped-stacks.ts', import.meta.url))
/** Its first line throws, its second one shows the stack trace. */
const PROGRAM = `function fail() { throw new Error('failed') }
try { fail() } catch (err) { console.log(err.stack) }
`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tms-stacks-'))
  writeFileSync(join(folder, 'program.cjs'), PROGRAM)
})
afterEach(() => rmSync(folder, { recursive: true }))

/** The first lines of the stack trace. */
function stackWith(map: string | null): string[] {
  if (map !== null) writeFileSync(join(folder, 'program.cjs.map'), map)
  const args = ['--import', mappedStacks, join(folder, 'program.cjs')]
  return execFileSync(process.execPath, args, { encoding: 'utf8' }).split('\n').slice(0, 3)
}

const unmapped = () => [
  'Error: failed',
  `    at fail (${join(folder, 'program.cjs')}:1:25)`,
  `    at Object.<anonymous> (${join(folder, 'program.cjs')}:2:7)`,
]

describe('a stack trace', () => {
  test('names the source of code that has one, and other code as it is', () => {
    const map = { version: 3, sources: ['source.ts'], names: [], mappings: 'A;AAUA' }

    const [title, added, line] = unmapped()
    expect(stackWith(JSON.stringify(map))).toEqual([
      title,
      added,
      line?.replace('program.cjs:2:7', 'source.ts:11:1'),
    ])
  })

  test.each([
    ['without a map', null],
    ['with a map that is no JSON', '{'],
    ['with a map that has no fields', '{}'],
  ])('names the file of a program %s', (_, map) => {
    expect(stackWith(map)).toEqual(unmapped())
  })
})

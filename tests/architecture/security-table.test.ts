import { describe, expect, test } from 'vitest'
import { listFiles, read } from './support/repository.ts'

const DOCUMENT = 'docs/security.md'
const SECTION = '## What a change takes away'

interface Citation {
  readonly row: string
  readonly path: string
  readonly names: readonly string[]
}

/** The rows of the section's tables, as their cells. */
function rowsOf(markdown: string): string[][] {
  const [, after = ''] = markdown.split(SECTION)
  const [section = ''] = after.split('\n## ')
  return section
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\| (change|-+) /.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    )
}

/** The tests that a cell names: a path in code, and names in quotes after it. */
function citationsOf(row: readonly string[]): Citation[] {
  const cell = row.at(-1) ?? ''
  return [...cell.matchAll(/`([\w./-]+\.ts)`((?:,? "[^"]+")*)/g)].map(([, path = '', names = '']) => ({
    row: row.slice(0, 2).join(': '),
    path,
    names: [...names.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name),
  }))
}

/** Whether a file's text has a test of that name. */
const hasTest = (source: string, name: string): boolean =>
  ["'", '`', '"'].some((quote) => source.includes(`${quote}${name}${quote}`))

describe('every row of the table of revoked access', () => {
  const rows = rowsOf(read(DOCUMENT))
  const files = new Set([...listFiles('tests'), ...listFiles('services'), ...listFiles('libs')])

  test('says what is revoked, when, and which test shows it', () => {
    expect(rows.length).toBeGreaterThan(50)
    const faulty = rows.filter((row) => row.length !== 4 || row.includes('') || citationsOf(row).length === 0)
    expect(faulty).toEqual([])
  })

  test('names tests that exist', () => {
    const missing = rows.flatMap(citationsOf).flatMap(({ row, path, names }) => {
      if (!files.has(path)) return [`${row}: there is no ${path}`]
      const source = read(path)
      return names.filter((name) => !hasTest(source, name)).map((name) => `${row}: no "${name}" in ${path}`)
    })
    expect(missing).toEqual([])
  })

  test.each([
    ['| a | b | at once | `tests/none.ts` "x" |', 'tests/none.ts', ['x']],
    ['| a | b | at once | `a.ts` "x", "y’s %s" |', 'a.ts', ['x', 'y’s %s']],
  ])('is parsed: %s', (line, path, names) => {
    const [row = []] = rowsOf(`${SECTION}\n\n| change | takes away | when | shown by |\n${line}\n\n## Next`)
    expect(citationsOf(row)).toMatchObject([{ row: 'a: b', path, names }])
  })
})

import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import {
  exportedTypes,
  findIdentifiersInSentences,
  findReplacedWords,
  replacedWords,
} from './support/language.ts'
import { listFiles, listFolders, read, repoRoot } from './support/repository.ts'

const GLOSSARY = 'docs/glossary.md'
/** What a run shows at most. */
const MAX_PROBLEMS = 50
/** Written by tools, or checked where it is written. */
const GENERATED = /(^|\/)generated\/|^docs\/export-records\.md$/
/** Files or folders in which a word is fine, each with the reason. */
const EXCEPTIONS: readonly {
  readonly path: string
  readonly words: readonly string[]
  readonly reason: string
}[] = []
/** Exported types that two files of a package declare under one name, each with the reason. */
const SHARED_TYPES: Readonly<Record<string, string>> = {}

/** Whose readers know the names of functions and options: they are authors of bots. */
const PUBLISHED = /^libs\/testcontainers\//

const isExcepted = (problem: string): boolean =>
  EXCEPTIONS.some(
    ({ path, words }) => problem.startsWith(path) && words.some((word) => problem.includes(`: '${word}': `)),
  )

const textFiles = (): string[] =>
  execFileSync('git', ['ls-files', '--', '*.ts', '*.mjs', '*.md', '*.sql', '*.prisma'], {
    cwd: repoRoot,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path !== '' && path !== GLOSSARY && !GENERATED.test(path))

describe('the words that docs/glossary.md replaces', () => {
  test('occur in no identifier, comment, message or document', () => {
    const replaced = replacedWords(read(GLOSSARY))
    const problems = textFiles()
      .flatMap((path) => findReplacedWords(path, read(path), replaced))
      .filter((problem) => !isExcepted(problem))
    expect(replaced.length).toBeGreaterThan(10)
    expect(problems.slice(0, MAX_PROBLEMS), `${problems.length} in all`).toEqual([])
  })

  test('are found within identifiers, and not within other words', () => {
    const glossary = '| say | not | means |\n| --- | --- | --- |\n| range, part | `gizmo` | entries |\n'
    const found = (line: string) => findReplacedWords('a.ts', line, replacedWords(glossary))
    for (const line of ['readGizmo()', 'GIZMO_SECONDS', 'gizmo_ms', '// A gizmo.', 'HTTPGizmo']) {
      expect(found(line)).toEqual(["a.ts:1: 'gizmo': say range or part"])
    }
    expect(found('// Gizmos, a gizmology.')).toEqual([])
  })
})

test('no package exports two types of one name', () => {
  const folders = ['services', 'libs'].flatMap((root) => listFolders(root).map((name) => `${root}/${name}`))
  const problems = folders.flatMap((folder) => {
    const files = new Map<string, string[]>()
    for (const path of listFiles(`${folder}/src`).filter((file) => /(?<!\.test)\.ts$/.test(file))) {
      for (const name of exportedTypes(read(path))) files.set(name, [...(files.get(name) ?? []), path])
    }
    return [...files]
      .filter(([name, paths]) => paths.length > 1 && !(`${folder} ${name}` in SHARED_TYPES))
      .map(([name, paths]) => `${folder}: '${name}' is declared by ${paths.join(' and ')}`)
  })
  expect(problems.slice(0, MAX_PROBLEMS), `${problems.length} in all`).toEqual([])
})

describe('a sentence that users or operators read', () => {
  test('has no identifier in place of a word', () => {
    const paths = textFiles().filter(
      (path) => /^(services|libs|manage|all-in-one)\/.*(?<!\.test)\.ts$/.test(path) && !PUBLISHED.test(path),
    )
    const problems = paths.flatMap((path) => findIdentifiersInSentences(path, read(path)))
    expect(paths.length).toBeGreaterThan(1_000)
    expect(problems.slice(0, MAX_PROBLEMS), `${problems.length} in all`).toEqual([])
  })

  test.each([
    ["refusal: 'Too many are userRole at once; try again'", ['userRole']],
    ['badRequest(`Your bot ${name} answers userRole, ${count} times`)', ['userRole']],
    ["describe('The part of `userRole` before the dot')", []],
    ["import { userRole } from './user-role.ts'", []],
    ["// It's one of the words that userRole isn't", []],
  ])('is searched, and nothing else: %s', (line, identifiers) => {
    expect(findIdentifiersInSentences('a.ts', line).map((problem) => problem.split("'")[1])).toEqual(
      identifiers,
    )
  })
})

import { dirname, join } from 'node:path/posix'
import { expect, test } from 'vitest'
import { listFiles, listFolders, read } from './support/repository.ts'

/** An import of one file by another. */
type Import = readonly [from: string, to: string]

/**
 * dependency-cruiser compares folders with exactly those that they import. It misses a cycle that two folders close by
 * different inner ones: `a` imports `b/inner`, and `b/other` imports `a`.
 */
test('folders beside each other import one way, with everything in them', () => {
  const packages = ['all-in-one', 'bench', 'manage', ...foldersIn('libs'), ...foldersIn('services')]
  expect(packages.map((name) => `${name}/src`).flatMap((folder) => cyclesIn(importsIn(folder)))).toEqual([])
})

test('the check above finds a cycle by inner folders, at any depth', () => {
  const closed: Import[] = [
    ['src/kernel/a/a.ts', 'src/kernel/b/inner/b.ts'],
    ['src/kernel/b/other/b.ts', 'src/kernel/c/c.ts'],
    ['src/kernel/c/c.ts', 'src/kernel/a/a.ts'],
    ['src/d/d.ts', 'src/kernel/a/a.ts'],
  ]
  expect(cyclesIn(closed)).toEqual(['src/kernel: a → b → c → a'])
  expect(cyclesIn(closed.slice(1))).toEqual([])
})

const foldersIn = (parent: string): string[] => listFolders(parent).map((name) => `${parent}/${name}`)

function importsIn(folder: string): Import[] {
  const files = listFiles(folder).filter((path) => path.endsWith('.ts'))
  return files.flatMap((from) =>
    [...read(from).matchAll(/\b(?:from |import |import\()'(\.[^']+)'/g)].map(
      ([, path = '']): Import => [from, join(dirname(from), path)],
    ),
  )
}

/** One cycle of each folder whose folders import each other in one. */
function cyclesIn(imports: readonly Import[]): string[] {
  const importedByFolder = new Map<string, Map<string, Set<string>>>()
  for (const [from, to] of imports) {
    const [a, b] = [from.split('/'), to.split('/')]
    const depth = a.findIndex((name, i) => name !== b[i])
    const [one, other] = [a[depth], b[depth]]
    // Files of the same folder, and of a folder and one in it, have no order.
    if (one === undefined || other === undefined || depth === a.length - 1 || depth === b.length - 1) continue
    const parent = a.slice(0, depth).join('/')
    const imported = importedByFolder.get(parent) ?? new Map<string, Set<string>>()
    importedByFolder.set(parent, imported.set(one, (imported.get(one) ?? new Set()).add(other)))
  }
  return [...importedByFolder].flatMap(([parent, imported]) => {
    const cycle = findCycle(imported)
    return cycle === null ? [] : [`${parent}: ${cycle.join(' → ')}`]
  })
}

function findCycle(imported: ReadonlyMap<string, ReadonlySet<string>>): string[] | null {
  const finished = new Set<string>()
  const follow = (path: readonly string[]): string[] | null => {
    const last = path.at(-1) ?? ''
    for (const next of imported.get(last) ?? []) {
      if (path.includes(next)) return [...path.slice(path.indexOf(next)), next]
      const cycle = finished.has(next) ? null : follow([...path, next])
      if (cycle !== null) return cycle
    }
    finished.add(last)
    return null
  }
  for (const start of imported.keys()) {
    const cycle = finished.has(start) ? null : follow([start])
    if (cycle !== null) return cycle
  }
  return null
}

import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { repoRoot } from '../repo-root.ts'
import { contractRegistries, listOwnersLists } from './contract-registries.ts'
import { exportLists } from './export-lists.ts'
import { libraryIndex } from './library-index.ts'
import { readSource } from './source-files.ts'

const HEAD = '// Written by `npm run gen` (tools/barrels.ts).\n\n'

/**
 * Writes the lists that are out of date, and returns their paths; a check only returns them. `gaps` are endpoints that are declared
 * but have no handler.
 */
export function updateBarrels({ isCheck = false } = {}): { outdated: string[]; gaps: string[] } {
  const gaps: string[] = []
  const texts = formatAll(new Map([...contractRegistries(), ...exportLists(gaps)]))
  const removed = listOwnersLists().filter((path) => !texts.has(path))
  const updateAll = (files: Iterable<readonly [string, string | null]>): string[] =>
    [...files].filter(([path, text]) => update(path, text, isCheck)).map(([path]) => path)
  const outdated = [...updateAll(texts), ...updateAll(removed.map((path) => [path, null]))]
  // An index takes the names of the registries, so these are written first.
  const indices = ['contracts', 'service-kit'].map(
    (library) => [`libs/${library}/src/index.ts`, libraryIndex(library)] as const,
  )
  return { outdated: [...outdated, ...updateAll(formatAll(new Map(indices)))], gaps }
}

/** Whether the file is out of date; a text of null removes it. */
function update(path: string, text: string | null, isCheck: boolean): boolean {
  const file = join(repoRoot, path)
  const current = existsSync(file) ? readSource(path) : null
  if (text === current) return false
  if (isCheck) return true
  if (text === null) rmSync(file)
  else writeInto(repoRoot, path, text)
  return true
}

/** The files as `npm run fix` would format them: by one process, in a folder of their own. */
function formatAll(texts: ReadonlyMap<string, string>): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'lists-'))
  try {
    copyFileSync(join(repoRoot, 'biome.json'), join(folder, 'biome.json'))
    for (const [path, text] of texts) writeInto(folder, path, HEAD + text)
    const biome = join(repoRoot, 'node_modules', '.bin', 'biome')
    const { status, stderr } = spawnSync(biome, ['check', '--write'], { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`the lists could not be formatted: ${stderr}`)
    return new Map([...texts.keys()].map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function writeInto(folder: string, path: string, text: string): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { repoRoot } from '../repo-root.ts'
import { contractRegistries, listOwnersLists } from './contract-registries.ts'
import { libraryIndex } from './library-index.ts'
import { serviceLists } from './service-lists.ts'
import { readSource } from './source-files.ts'

const HEAD = '// Written by `npm run gen` (tools/barrels.ts).\n\n'

/**
 * Writes the lists that are out of date, and returns their paths; a check only returns them. `gaps` are endpoints that are declared
 * but have no handler.
 */
export function updateBarrels({ isCheck = false } = {}): { outdated: string[]; gaps: string[] } {
  const gaps: string[] = []
  const files = new Map<string, string | null>([...contractRegistries(), ...serviceLists(gaps)])
  for (const path of listOwnersLists()) if (!files.has(path)) files.set(path, null)
  const updateAll = (texts: Iterable<readonly [string, string | null]>): string[] =>
    [...texts].filter(([path, text]) => update(path, text, isCheck)).map(([path]) => path)
  const outdated = updateAll(files)
  // An index takes the names of the registries, so these are written first.
  const indices = ['contracts', 'service-kit'].map(
    (library) => [`libs/${library}/src/index.ts`, libraryIndex(library)] as const,
  )
  return { outdated: [...outdated, ...updateAll(indices)], gaps }
}

/** Whether the file is out of date; a text of null removes it. */
function update(path: string, text: string | null, isCheck: boolean): boolean {
  const file = join(repoRoot, path)
  const current = existsSync(file) ? readSource(path) : null
  const updated = text === null ? null : format(path, HEAD + text)
  if (updated === current) return false
  if (isCheck) return true
  if (updated === null) rmSync(file)
  else {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, updated)
  }
  return true
}

/** As `npm run fix` would format it. */
function format(path: string, text: string): string {
  const { status, stdout, stderr } = spawnSync('biome', ['check', '--write', `--stdin-file-path=${path}`], {
    cwd: repoRoot,
    input: text,
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: `${join(repoRoot, 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
    },
  })
  if (status !== 0) throw new Error(`${path} could not be formatted: ${stderr}`)
  return stdout
}

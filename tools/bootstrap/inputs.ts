// The files that dependencies and the build are made from.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repoRoot } from '../repo-root.ts'

const DEPENDENCY_FILES = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.npmrc']
const BUILD_FILES = [
  'package.json',
  'pnpm-lock.yaml',
  'tsconfig.json',
  'tsconfig.base.json',
  'tools/barrels.ts',
  'tools/bundle.ts',
  'tools/generate.ts',
  'tools/generate-client.ts',
  'tools/published-packages.ts',
  'tools/service-names.ts',
  'docs/openapi.json',
  'docs/asyncapi.json',
]
const BUILD_FOLDERS = ['tools/barrels', 'tools/bundle', 'tools/client']
const PACKAGE_FILES = ['package.json', 'tsconfig.json', 'tsconfig.commonjs.json', 'prisma.config.ts']
const PACKAGE_FOLDERS = ['src', 'prisma', 'migrations']

export function dependencyFiles(): string[] {
  return existing([...DEPENDENCY_FILES, ...packageFolders().map((folder) => `${folder}/package.json`)])
}

export function sourceFiles(): string[] {
  const folders = builtFolders()
  return [
    ...existing([
      ...BUILD_FILES,
      ...folders.flatMap((folder) => PACKAGE_FILES.map((name) => `${folder}/${name}`)),
    ]),
    ...[
      ...BUILD_FOLDERS,
      ...folders.flatMap((folder) => PACKAGE_FOLDERS.map((name) => `${folder}/${name}`)),
    ].flatMap((folder) => listFiles(join(repoRoot, folder))),
  ]
}

/** A text that changes if one of the files does, or this Node.js. */
export function fingerprint(paths: string[]): string {
  const hash = createHash('sha256').update(process.version)
  for (const path of paths.sort()) {
    const { size, mtimeMs } = statSync(path)
    hash.update(`${path}\0${size}\0${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

export function isBuilt(): boolean {
  return builtFolders().every((folder) => existsSync(join(repoRoot, folder, 'dist')))
}

/** Folders that `tsc -b` builds. A package that is also built for `require` has a second project in its folder. */
function builtFolders(): string[] {
  const { references }: { references: { path: string }[] } = JSON.parse(
    readFileSync(join(repoRoot, 'tsconfig.json'), 'utf8'),
  )
  return [...new Set(references.map(({ path }) => (path.endsWith('.json') ? dirname(path) : path)))]
}

/** Folders of pnpm's workspace, listed by name or as `<folder>/*`. Parsed by hand, since no YAML library is installed yet. */
function packageFolders(): string[] {
  const text = readFileSync(join(repoRoot, 'pnpm-workspace.yaml'), 'utf8')
  const [, list = ''] = /^packages:\n((?: +- .+\n)+)/m.exec(text) ?? []
  const patterns = [...list.matchAll(/^ +- (.+)$/gm)].map(([, pattern = '']) => pattern)
  if (patterns.length === 0)
    throw new Error('pnpm-workspace.yaml lists no packages in a form that this program can parse')
  return patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern]
    const parent = pattern.slice(0, -2)
    return readdirSync(join(repoRoot, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${parent}/${name}`)
  })
}

function existing(paths: string[]): string[] {
  return paths.map((path) => join(repoRoot, path)).filter((path) => existsSync(path))
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    // Output of the build must not make it look out of date.
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : listFiles(path)
    return [path]
  })
}

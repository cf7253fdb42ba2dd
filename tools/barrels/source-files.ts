import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '../repo-root.ts'

const NOT_SOURCES = new Set(['node_modules', 'dist', 'generated', '.local'])

/** A file's text, by its path from the root. */
export const readSource = (path: string): string => readFileSync(join(repoRoot, path), 'utf8')

/** Paths from the root of all sources below a folder. */
export function listSources(folder: string): string[] {
  return readdirSync(join(repoRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (!entry.isDirectory()) return /\.(ts|mjs)$/.test(path) ? [path] : []
    return NOT_SOURCES.has(entry.name) ? [] : listSources(path)
  })
}

/** The modules of a library. */
export const listModules = (folder: string): string[] =>
  listSources(folder).filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repoRoot = fileURLToPath(new URL('../../..', import.meta.url))
export const services = ['gateway', 'users', 'realm', 'messaging', 'events'] as const

/** A file's text, by its path from the root. Throws if it does not exist. */
export function read(path: string): string {
  return readFileSync(join(repoRoot, path), 'utf8')
}

/** Paths from the root of the files below a folder, except generated ones. */
export function listFiles(folder: string): string[] {
  if (!existsSync(join(repoRoot, folder))) return []
  return readdirSync(join(repoRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (!entry.isDirectory()) return [path]
    return ['node_modules', 'dist', 'generated', '.local'].includes(entry.name) ? [] : listFiles(path)
  })
}

/** The names of the subfolders. */
export function listFolders(folder: string): string[] {
  return readdirSync(join(repoRoot, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Finds the folder from which Node loads a package that the one in the folder `from` depends on. */
export function findPackageFolder(name: string, from: string): string | null {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
  }
  return null
}

import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The first of these programs in PATH; null if there is none. */
export function findInPath(names: readonly string[], env: NodeJS.ProcessEnv): string | null {
  for (const name of names) {
    for (const folder of (env['PATH'] ?? '').split(delimiter)) {
      const path = join(folder, name)
      if (folder !== '' && isExecutable(path)) return path
    }
  }
  return null
}

/** `<parent>/<version>/<rest>` for each installed version, newest first. */
export function findVersioned(parent: string, rest: string): string[] {
  const numberIn = (text: string) => Number(/\d+(\.\d+)?/.exec(text)?.[0] ?? 0)
  let versions: string[]
  try {
    versions = readdirSync(parent)
  } catch {
    return []
  }
  return versions
    .sort((a, b) => numberIn(b) - numberIn(a))
    .map((version) => join(parent, version, rest))
    .filter(isExecutable)
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

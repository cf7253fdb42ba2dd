// The packages that authors of bots install, each of which is built twice: for `import` and for `require`.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repoRoot = fileURLToPath(new URL('..', import.meta.url))

/** Folders, a package before those that depend on it. */
export const publishedPackages = ['clients/typescript', 'libs/testcontainers']

/** Node reads the files for `require` as such by this file beside them; the rest of the package is ES modules. */
export function markCommonJs() {
  for (const folder of publishedPackages) {
    // An image of a service is built from less than the whole repository.
    if (!existsSync(join(repoRoot, folder, 'package.json'))) continue
    const output = join(repoRoot, folder, 'dist', 'commonjs')
    mkdirSync(output, { recursive: true })
    writeFileSync(join(output, 'package.json'), '{ "type": "commonjs" }\n')
  }
}

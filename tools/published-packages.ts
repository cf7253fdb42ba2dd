// The packages for authors of bots. Each is built twice: for `import` and for `require`.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from './repo-root.ts'

/** Their folders; a package comes before its dependents. */
export const publishedPackages = ['clients/typescript', 'libs/testcontainers']

/** Writes the package.json that makes Node load the files for `require` as CommonJS; the rest of the package is ES modules. */
export function markCommonJs(): void {
  for (const folder of publishedPackages) {
    // Images of services are built from a part of the repository.
    if (!existsSync(join(repoRoot, folder, 'package.json'))) continue
    const output = join(repoRoot, folder, 'dist', 'commonjs')
    mkdirSync(output, { recursive: true })
    writeFileSync(join(output, 'package.json'), '{ "type": "commonjs" }\n')
  }
}

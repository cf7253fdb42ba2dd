// `npm run sbom [file]`: writes the npm packages of the images as CycloneDX JSON: the production dependencies of the deployed
// packages, from the lockfile. Default file: .local/sbom.cdx.json.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { prepareWorkspace, workspaceEnvironment } from './bootstrap.ts'
import { imageRoots } from './image-roots.ts'
import { repoRoot } from './repo-root.ts'

await prepareWorkspace()
const path = resolve(process.argv[2] ?? join(repoRoot, '.local', 'sbom.cdx.json'))
mkdirSync(join(path, '..'), { recursive: true })
const { status, error } = spawnSync(
  'pnpm',
  [
    ...imageRoots.flatMap((folder) => ['--filter', `./${folder}`]),
    ...['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--prod', '--out', path],
  ],
  { cwd: repoRoot, env: workspaceEnvironment(), stdio: ['ignore', 'ignore', 'inherit'] },
)
if (error) console.error(error.message)
if (status === 0) {
  const { components }: { components: unknown[] } = JSON.parse(readFileSync(path, 'utf8'))
  console.log(`${components.length} components: ${path}`)
}
process.exitCode = status ?? 1
